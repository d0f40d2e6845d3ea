package io.berth.plugins.volumebinding;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.label.Requirement;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.volume.NodeQuestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The volumes that one claim could have, for one attempt: the smallest that a node reaches is the
/// one (VB-9).
///
/// What does not depend on the node is asked once, when this is made. Volumes that name one host
/// each, as local ones do, are found by the host, so that a node asks about its own alone.
final class Candidates {
    private static final Comparator<PersistentVolume> SMALLEST_FIRST =
            Comparator.comparing(PersistentVolume::capacity).thenComparing(PersistentVolume::name);

    private final PersistentVolumeClaim claim;

    /// A volume that is kept for the claim: this one or none.
    private final @Nullable PersistentVolume kept;

    private final NodeQuestion keptQuestion;

    /// Volumes that one label's value decides about, by label; each list in order of size.
    private final List<ByLabel> byLabel = new ArrayList<>();

    /// All other volumes in order of size.
    private final List<Asked> others = new ArrayList<>();

    private record Asked(PersistentVolume volume, NodeQuestion question) {}

    private record ByLabel(int[] valueIds, Map<Integer, List<PersistentVolume>> byId) {}

    private Candidates(
            PersistentVolumeClaim claim,
            @Nullable PersistentVolume kept,
            NodeQuestion keptQuestion) {
        this.claim = claim;
        this.kept = kept;
        this.keptQuestion = keptQuestion;
    }

    static Candidates of(PersistentVolumeClaim claim, AssumedVolumes volumes, NodeColumns columns) {
        var free = new ArrayList<PersistentVolume>();
        for (var seen : volumes.ofClass(claim.storageClass())) {
            var volume = volumes.asAssumed(seen);
            if (!mayBecome(claim, volume)) {
                continue;
            }
            if (volume.claim() != null) {
                return new Candidates(claim, volume, question(volume, columns));
            }
            if (isFree(claim, volume)) {
                free.add(volume);
            }
        }
        free.sort(SMALLEST_FIRST);
        var result = new Candidates(claim, null, NodeQuestion.NEVER);
        result.sort(free, columns);
        return result;
    }

    /// Whether a volume is kept for a claim.
    static boolean isKeptFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        var reference = volume.claim();
        return reference != null
                && reference.name().equals(claim.name())
                && reference.namespace().equals(claim.namespace())
                && (reference.uid().isEmpty() || reference.uid().equals(claim.uid()));
    }

    private static boolean mayBecome(PersistentVolumeClaim claim, PersistentVolume volume) {
        var request = claim.request();
        return (volume.claim() == null || isKeptFor(volume, claim))
                && (request == null || volume.capacity().compareTo(request) >= 0)
                && volume.volumeMode().equals(claim.volumeMode())
                && volume.attributesClass().equals(claim.attributesClass())
                && !volume.isDeleting();
    }

    private static boolean isFree(PersistentVolumeClaim claim, PersistentVolume volume) {
        return volume.phase().equals("Available")
                && claim.selector().matches(volume.labels())
                && volume.accessModes().containsAll(claim.accessModes());
    }

    static NodeQuestion question(PersistentVolume volume, NodeColumns columns) {
        var affinity = volume.nodeAffinity();
        return affinity == null ? NodeQuestion.ALWAYS : NodeQuestion.of(affinity, columns);
    }

    private void sort(List<PersistentVolume> free, NodeColumns columns) {
        var groups = new LinkedHashMap<String, ByLabel>();
        for (var volume : free) {
            var single = single(volume.nodeAffinity());
            if (single == null) {
                others.add(new Asked(volume, question(volume, columns)));
                continue;
            }
            LabelColumn column = columns.label(single.key());
            int id = column.idOf(single.values().getFirst());
            if (id > 0) {
                groups.computeIfAbsent(
                                single.key(),
                                key -> new ByLabel(column.valueIds(), new HashMap<>()))
                        .byId
                        .computeIfAbsent(id, key -> new ArrayList<>())
                        .add(volume);
            }
        }
        byLabel.addAll(groups.values());
    }

    /// The one value of one label that an affinity names; null where it says something else.
    private static @Nullable Requirement single(@Nullable NodeSelector affinity) {
        if (affinity == null || affinity.terms().size() != 1) {
            return null;
        }
        var term = affinity.terms().getFirst();
        if (!term.fields().isEmpty() || term.expressions().size() != 1 || !term.isSound()) {
            return null;
        }
        var only = term.expressions().getFirst();
        boolean isOne = only.operator() == Requirement.Operator.IN && only.values().size() == 1;
        return isOne ? only : null;
    }

    PersistentVolumeClaim claim() {
        return claim;
    }

    /// The volume for the claim on a node; null where there is none.
    ///
    /// @param taken what other claims of the pod have got
    /// @param takenCount how many of them count
    @Nullable PersistentVolume on(int slot, PersistentVolume[] taken, int takenCount) {
        if (kept != null) {
            return keptQuestion.matches(slot) && !isTaken(kept, taken, takenCount) ? kept : null;
        }
        @Nullable PersistentVolume best = null;
        for (int i = 0; i < byLabel.size(); i++) {
            var group = byLabel.get(i);
            var volumes = group.byId.get(group.valueIds[slot]);
            if (volumes != null) {
                best = smaller(best, firstFree(volumes, taken, takenCount));
            }
        }
        for (int i = 0; i < others.size(); i++) {
            var other = others.get(i);
            if (other.question.matches(slot) && !isTaken(other.volume, taken, takenCount)) {
                return smaller(best, other.volume);
            }
        }
        return best;
    }

    private static @Nullable PersistentVolume firstFree(
            List<PersistentVolume> volumes, PersistentVolume[] taken, int takenCount) {
        for (int i = 0; i < volumes.size(); i++) {
            if (!isTaken(volumes.get(i), taken, takenCount)) {
                return volumes.get(i);
            }
        }
        return null;
    }

    private static @Nullable PersistentVolume smaller(
            @Nullable PersistentVolume one, @Nullable PersistentVolume other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return SMALLEST_FIRST.compare(one, other) <= 0 ? one : other;
    }

    private static boolean isTaken(
            PersistentVolume volume, PersistentVolume[] taken, int takenCount) {
        for (int i = 0; i < takenCount; i++) {
            if (taken[i].name().equals(volume.name())) {
                return true;
            }
        }
        return false;
    }
}
