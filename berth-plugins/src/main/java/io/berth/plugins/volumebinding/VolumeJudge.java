package io.berth.plugins.volumebinding;

import io.berth.api.amount.Amounts;
import io.berth.api.amount.Quantity;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.spec.NodeSelector;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.volume.NodeQuestion;
import io.berth.plugins.volume.VolumePlaces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whether a pod's volumes can be reached from a node, or made for it (VB-6 to VB-12). Prepared for
/// one attempt; asked on the engine thread.
final class VolumeJudge implements SlotJudge {
    private static final String STORAGE = "storage";

    static final int OTHER_NODES = 1;
    static final int NO_VOLUME = 2;
    static final int NO_SPACE = 4;
    static final int GONE = 8;

    /// The reasons in the order in which users read them.
    static final List<String> REASONS =
            List.of(
                    "node(s) didn't match PersistentVolume's node affinity",
                    "node(s) didn't find available persistent volumes to bind",
                    "node(s) did not have enough free storage",
                    "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");

    private static final Verdict[] VERDICTS = verdicts();

    private static final Provision[] NO_PROVISIONS = {};
    private static final Candidates[] NO_CANDIDATES = {};
    private static final PersistentVolume[] NO_VOLUMES = {};
    private static final boolean[] NONE_MATCHED = {};

    private final PodVolumes pod;
    private final AssumedVolumes volumes;

    /// Per bound claim; null where its volume is missing.
    private final @Nullable NodeQuestion[] bound;

    /// Claims for which a node was selected before; they wait for a volume to be made there.
    private final Provision[] selected;

    /// The other delayed claims, the smallest first.
    private final Candidates[] candidates;

    private final Provision[] provisions;
    private final NodeColumns columns;
    private final Runnable onTrouble;
    private final boolean hasBoundAlone;

    // What the last match found: which claims have a volume, and the volumes.
    private final boolean[] isMatched;
    private final PersistentVolume[] matched;
    private final PersistentVolume[] taken;

    /// A claim for which a volume may be made.
    ///
    /// @param isPossible whether the claim's class makes volumes at all
    /// @param places the nodes for which it does, as the class says it
    /// @param allowed the same as a question
    /// @param room null where room does not matter
    record Provision(
            PersistentVolumeClaim claim,
            boolean isPossible,
            NodeSelector places,
            NodeQuestion allowed,
            Capacities.@Nullable Room room) {
        String withoutVolume() {
            return isPossible
                    ? "class %s makes volumes in %s only"
                            .formatted(claim.storageClass(), VolumePlaces.of(places))
                    : "no volume for claim %s: class %s, %s"
                            .formatted(
                                    claim.name(),
                                    claim.storageClass(),
                                    Amounts.rough(STORAGE, size(claim).value()));
        }

        @Nullable Lack lack(int slot) {
            return room == null
                    ? null
                    : new Lack(
                            STORAGE + " of class " + claim.storageClass(),
                            size(claim).value(),
                            Math.max(0, room.most(slot)));
        }

        int flags(int slot) {
            if (!isPossible || !allowed.matches(slot)) {
                return NO_VOLUME;
            }
            return room == null || room.at(slot) != null ? 0 : NO_SPACE;
        }

        @Nullable CsiStorageCapacity capacity(int slot) {
            return room == null ? null : room.at(slot);
        }
    }

    /// @param onTrouble told where a node cannot be judged
    VolumeJudge(
            PodVolumes pod,
            AssumedVolumes volumes,
            Reachable reachable,
            Provisioning provisioning,
            NodeColumns columns,
            Runnable onTrouble) {
        this.pod = pod;
        this.volumes = volumes;
        this.columns = columns;
        this.onTrouble = onTrouble;
        this.bound = new @Nullable NodeQuestion[pod.bound().size()];
        for (int i = 0; i < bound.length; i++) {
            var volume = volumes.volume(pod.bound().get(i).volumeName());
            bound[i] = volume == null ? null : reachable.question(volume, columns);
        }
        if (pod.delayed().isEmpty()) {
            this.selected = NO_PROVISIONS;
            this.provisions = NO_PROVISIONS;
            this.candidates = NO_CANDIDATES;
            this.hasBoundAlone = true;
            this.isMatched = NONE_MATCHED;
            this.matched = NO_VOLUMES;
            this.taken = NO_VOLUMES;
            return;
        }
        this.selected =
                pod.delayed().stream()
                        .filter(claim -> claim.selectedNode() != null)
                        .map(claim -> provisioning.of(claim, columns))
                        .toArray(Provision[]::new);
        var unmatched =
                pod.delayed().stream()
                        .filter(claim -> claim.selectedNode() == null)
                        .sorted(Comparator.comparing(VolumeJudge::size))
                        .toList();
        this.candidates =
                unmatched.stream()
                        .map(claim -> new Candidates(claim, volumes, columns))
                        .toArray(Candidates[]::new);
        this.provisions =
                unmatched.stream()
                        .map(claim -> provisioning.of(claim, columns))
                        .toArray(Provision[]::new);
        this.hasBoundAlone = selected.length + candidates.length == 0;
        this.isMatched = new boolean[candidates.length];
        this.matched = new PersistentVolume[candidates.length];
        this.taken = new PersistentVolume[candidates.length];
    }

    private static Quantity size(PersistentVolumeClaim claim) {
        var request = claim.request();
        return request == null ? Quantity.ZERO : request;
    }

    /// Whether every node will do.
    boolean passesAll() {
        if (!hasBoundAlone) {
            return false;
        }
        for (var question : bound) {
            if (question == null || !question.equals(NodeQuestion.Settled.ALWAYS)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean passes(int slot) {
        return flags(slot) == 0;
    }

    @Override
    public int retain(int[] slots, int count) {
        if (hasBoundAlone) {
            return retainReaching(slots, count);
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            if (passes(slot)) {
                slots[kept++] = slot;
            }
        }
        return kept;
    }

    private int retainReaching(int[] slots, int count) {
        int kept = count;
        try {
            for (var question : bound) {
                kept = question == null ? 0 : question.retain(slots, kept);
            }
        } catch (Reachable.UntranslatableException trouble) {
            onTrouble.run();
            throw trouble;
        }
        return kept;
    }

    @Override
    public @Nullable List<SlotTrait> traits() {
        return hasBoundAlone
                ? NodeQuestion.traits(Arrays.stream(bound).filter(Objects::nonNull).toList())
                : null;
    }

    @Override
    public Verdict explain(int slot) {
        return VERDICTS[flags(slot)];
    }

    @Override
    public List<Lack> lacks(int slot) {
        if (flags(slot) != NO_SPACE) {
            return List.of();
        }
        return Stream.concat(Arrays.stream(selected), unmatched())
                .filter(provision -> provision.flags(slot) == NO_SPACE)
                .map(provision -> provision.lack(slot))
                .filter(Objects::nonNull)
                .limit(1)
                .toList();
    }

    /// Claims for which the last match found no volume.
    private Stream<Provision> unmatched() {
        return IntStream.range(0, provisions.length)
                .filter(i -> !isMatched[i])
                .mapToObj(i -> provisions[i]);
    }

    @Override
    public String detail(int slot) {
        for (int i = 0; i < bound.length; i++) {
            var question = bound[i];
            var claim = pod.bound().get(i);
            if (question == null) {
                return "volume %s of claim %s is not there"
                        .formatted(claim.volumeName(), claim.name());
            }
            if (!question.matches(slot)) {
                var volume = volumes.volume(claim.volumeName());
                return volume == null ? "" : VolumePlaces.sentence(claim.name(), volume);
            }
        }
        return delayedFlags(slot) == NO_VOLUME ? withoutVolume(slot) : "";
    }

    private String withoutVolume(int slot) {
        for (var provision : selected) {
            if (!columns.node(slot).name().equals(provision.claim.selectedNode())) {
                return "a volume for claim %s is being made for %s"
                        .formatted(provision.claim.name(), provision.claim.selectedNode());
            }
        }
        return Stream.concat(Arrays.stream(selected), unmatched())
                .filter(provision -> provision.flags(slot) == NO_VOLUME)
                .findFirst()
                .map(Provision::withoutVolume)
                .orElse("");
    }

    /// What is against a node, as bits.
    private int flags(int slot) {
        try {
            return boundFlags(slot) | delayedFlags(slot);
        } catch (Reachable.UntranslatableException trouble) {
            onTrouble.run();
            throw trouble;
        }
    }

    /// The first claim that fails decides.
    private int boundFlags(int slot) {
        for (var question : bound) {
            if (question == null) {
                return GONE;
            }
            if (!question.matches(slot)) {
                return OTHER_NODES;
            }
        }
        return 0;
    }

    private int delayedFlags(int slot) {
        if (hasBoundAlone) {
            return 0;
        }
        if (isSelectedElsewhere(slot)) {
            return NO_VOLUME;
        }
        match(slot);
        for (var provision : selected) {
            int flags = provision.flags(slot);
            if (flags != 0) {
                return flags;
            }
        }
        for (int i = 0; i < candidates.length; i++) {
            int flags = isMatched[i] ? 0 : provisions[i].flags(slot);
            if (flags != 0) {
                return flags;
            }
        }
        return 0;
    }

    private boolean isSelectedElsewhere(int slot) {
        for (var provision : selected) {
            if (!columns.node(slot).name().equals(provision.claim.selectedNode())) {
                return true;
            }
        }
        return false;
    }

    /// Looks for volumes that are there, each for one claim (VB-8).
    private void match(int slot) {
        int takenCount = 0;
        for (int i = 0; i < candidates.length; i++) {
            var volume = candidates[i].on(slot, taken, takenCount);
            isMatched[i] = volume != null;
            if (volume != null) {
                matched[i] = volume;
                taken[takenCount++] = volume;
            }
        }
    }

    /// What is to happen if the pod goes to a node; null where it cannot (VB-12).
    PodVolumes.@Nullable Choice choice(int slot) {
        if (flags(slot) != 0) {
            return null;
        }
        var bindings = new ArrayList<PodVolumes.Binding>();
        var provisioned = new ArrayList<PersistentVolumeClaim>();
        for (var provision : selected) {
            provisioned.add(provision.claim);
        }
        for (int i = 0; i < candidates.length; i++) {
            var claim = candidates[i].claim();
            if (isMatched[i]) {
                bindings.add(
                        new PodVolumes.Binding(
                                matched[i], claim, !Candidates.isKeptFor(matched[i], claim)));
            } else {
                provisioned.add(claim);
            }
        }
        return new PodVolumes.Choice(bindings, provisioned);
    }

    /// How full storage would be with the pod on a node that passes (VB-14).
    void addUp(int slot, StorageUse into) {
        match(slot);
        into.clear();
        boolean hasVolumes = false;
        for (int i = 0; i < candidates.length; i++) {
            if (isMatched[i]) {
                hasVolumes = true;
                into.addVolume(matched[i], candidates[i].claim());
            }
        }
        if (hasVolumes) {
            return;
        }
        for (var provision : selected) {
            into.addProvision(provision.claim, provision.capacity(slot));
        }
        for (var provision : provisions) {
            into.addProvision(provision.claim, provision.capacity(slot));
        }
    }

    private static Verdict[] verdicts() {
        var result = new Verdict[1 << REASONS.size()];
        result[0] = Verdict.PASS;
        for (int flags = 1; flags < result.length; flags++) {
            var reasons = new ArrayList<String>();
            for (int i = 0; i < REASONS.size(); i++) {
                if ((flags & 1 << i) != 0) {
                    reasons.add(REASONS.get(i));
                }
            }
            result[flags] = new Refusal(reasons, Refusal.Remedy.NOTHING_HELPS);
        }
        return result;
    }
}
