package io.berth.plugins.volumebinding;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.plugins.volume.NodeQuestion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The volumes that one claim could have, for one attempt: the smallest that a node reaches is the
/// one (VB-9).
///
/// Volumes that name one host each, as local ones do, are found by the host, so that a node asks
/// about its own alone. Whether a volume is what the claim wants is asked only of those that a node
/// comes to.
final class Candidates {
    private final PersistentVolumeClaim claim;
    private final NodeColumns columns;
    private final boolean hasSelector;

    /// Volumes that are kept for the claim: the first of them that the pod has not taken yet, or
    /// none. Mostly it is one.
    private final List<Asked> kept = new ArrayList<>();

    // Free volumes that one label's value decides about, by label.
    private final FreeVolumes.ByLabel[] groups;
    private final LabelColumn[] labels;
    private final int[][] valueIds;

    /// All other free volumes in order of size, and those of them that were found to do so far.
    private final List<PersistentVolume> rest;

    private final List<Asked> others = new ArrayList<>();
    private int next;

    private record Asked(PersistentVolume volume, NodeQuestion question) {}

    Candidates(PersistentVolumeClaim claim, AssumedVolumes volumes, NodeColumns columns) {
        this.claim = claim;
        this.columns = columns;
        this.hasSelector = !claim.selector().equals(LabelSelector.EVERYTHING);
        volumes.forEachKept(
                claim,
                volume -> {
                    if (isFit(volume)) {
                        kept.add(new Asked(volume, question(volume, columns)));
                    }
                });
        var free = volumes.free(claim.storageClass());
        if (free == null) {
            groups = new FreeVolumes.ByLabel[0];
            labels = new LabelColumn[0];
            valueIds = new int[0][];
            rest = List.of();
            return;
        }
        groups = free.byLabel().values().toArray(FreeVolumes.ByLabel[]::new);
        labels = free.byLabel().keySet().stream().map(columns::label).toArray(LabelColumn[]::new);
        valueIds = new int[groups.length][];
        for (int i = 0; i < groups.length; i++) {
            groups[i].begin(columns, labels[i]);
            valueIds[i] = labels[i].valueIds();
        }
        rest = free.others();
    }

    /// Whether a volume is kept for a claim.
    static boolean isKeptFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        var reference = volume.claim();
        return reference != null
                && reference.name().equals(claim.name())
                && reference.namespace().equals(claim.namespace())
                && (reference.uid().isEmpty() || reference.uid().equals(claim.uid()));
    }

    /// Whether a volume that is free or kept for the claim is what it wants.
    private boolean isFit(PersistentVolume volume) {
        var request = claim.request();
        return (request == null || volume.capacity().compareTo(request) >= 0)
                && volume.volumeMode().equals(claim.volumeMode())
                && volume.attributesClass().equals(claim.attributesClass())
                && !volume.isDeleting();
    }

    /// The same of one that is free. Hot: asks of many nodes' volumes, which mostly are all alike.
    private boolean isFree(PersistentVolume volume) {
        return isFit(volume)
                && volume.phase().equals("Available")
                && hasModes(volume)
                && (!hasSelector || claim.selector().matches(volume.labels()));
    }

    /// There is but one set of each.
    @SuppressWarnings("ReferenceEquality")
    private boolean hasModes(PersistentVolume volume) {
        return volume.accessModes() == claim.accessModes()
                || volume.accessModes().containsAll(claim.accessModes());
    }

    static NodeQuestion question(PersistentVolume volume, NodeColumns columns) {
        var affinity = volume.nodeAffinity();
        return affinity == null ? NodeQuestion.Settled.ALWAYS : NodeQuestion.of(affinity, columns);
    }

    PersistentVolumeClaim claim() {
        return claim;
    }

    /// The volume for the claim on a node; null where there is none.
    ///
    /// @param taken what other claims of the pod have got
    /// @param takenCount how many of them count
    @Nullable PersistentVolume on(int slot, PersistentVolume[] taken, int takenCount) {
        for (int i = 0; i < kept.size(); i++) {
            var first = kept.get(i);
            if (!isTaken(first.volume, taken, takenCount)) {
                return first.question.matches(slot) ? first.volume : null;
            }
        }
        @Nullable PersistentVolume best = null;
        for (int i = 0; i < groups.length; i++) {
            var here = groups[i].of(valueIds[i][slot], labels[i]);
            best = smaller(best, first(here, taken, takenCount));
        }
        return smaller(best, firstOther(slot, taken, takenCount));
    }

    private @Nullable PersistentVolume first(
            List<PersistentVolume> sorted, PersistentVolume[] taken, int takenCount) {
        for (int i = 0; i < sorted.size(); i++) {
            var volume = sorted.get(i);
            if (isFree(volume) && !isTaken(volume, taken, takenCount)) {
                return volume;
            }
        }
        return null;
    }

    private @Nullable PersistentVolume firstOther(
            int slot, PersistentVolume[] taken, int takenCount) {
        for (int i = 0; i < others.size() || findOther(); i++) {
            var other = others.get(i);
            if (other.question.matches(slot) && !isTaken(other.volume, taken, takenCount)) {
                return other.volume;
            }
        }
        return null;
    }

    /// Finds one more of the rest that will do; false where there is none.
    private boolean findOther() {
        while (next < rest.size()) {
            var volume = rest.get(next++);
            if (isFree(volume)) {
                others.add(new Asked(volume, question(volume, columns)));
                return true;
            }
        }
        return false;
    }

    private static @Nullable PersistentVolume smaller(
            @Nullable PersistentVolume one, @Nullable PersistentVolume other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return FreeVolumes.SMALLEST_FIRST.compare(one, other) <= 0 ? one : other;
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
