package io.berth.plugins.volumebinding;

import io.berth.api.amount.Quantity;
import io.berth.api.column.NodeColumns;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.volume.NodeQuestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a pod's volumes can be reached from a node, or made for it (VB-6 to VB-12). Prepared for
/// one attempt; asked on the engine thread.
final class VolumeJudge implements SlotJudge {
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

    /// Per bound claim; null where its volume is missing.
    private final @Nullable NodeQuestion[] bound;

    /// Claims for which a node was selected before; they wait for a volume to be made there.
    private final Provision[] selected;

    /// The other delayed claims, the smallest first.
    private final Candidates[] candidates;

    private final Provision[] provisions;
    private final NodeColumns columns;

    // What the last match found: which claims have a volume, and the volumes.
    private final boolean[] isMatched;
    private final PersistentVolume[] matched;
    private final PersistentVolume[] taken;

    /// A claim for which a volume may be made.
    ///
    /// @param isPossible whether the claim's class makes volumes at all
    /// @param allowed the nodes for which it does
    /// @param room null where room does not matter
    record Provision(
            PersistentVolumeClaim claim,
            boolean isPossible,
            NodeQuestion allowed,
            Capacities.@Nullable Room room) {
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

    VolumeJudge(
            PodVolumes pod,
            AssumedVolumes volumes,
            Reachable reachable,
            Provisioning provisioning,
            NodeColumns columns) {
        this.columns = columns;
        this.bound = new @Nullable NodeQuestion[pod.bound().size()];
        for (int i = 0; i < bound.length; i++) {
            var volume = volumes.volume(pod.bound().get(i).volumeName());
            bound[i] = volume == null ? null : reachable.question(volume, columns);
        }
        this.selected =
                pod.delayed().stream()
                        .filter(claim -> !claim.selectedNode().isEmpty())
                        .map(claim -> provisioning.of(claim, columns))
                        .toArray(Provision[]::new);
        var unmatched =
                pod.delayed().stream()
                        .filter(claim -> claim.selectedNode().isEmpty())
                        .sorted(Comparator.comparing(VolumeJudge::size))
                        .toList();
        this.candidates =
                unmatched.stream()
                        .map(claim -> Candidates.of(claim, volumes, columns))
                        .toArray(Candidates[]::new);
        this.provisions =
                unmatched.stream()
                        .map(claim -> provisioning.of(claim, columns))
                        .toArray(Provision[]::new);
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
        if (selected.length + candidates.length > 0) {
            return false;
        }
        for (var question : bound) {
            if (question == null || !question.equals(NodeQuestion.ALWAYS)) {
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
    public Verdict explain(int slot) {
        return VERDICTS[flags(slot)];
    }

    /// What is against a node, as bits.
    private int flags(int slot) {
        return boundFlags(slot) | delayedFlags(slot);
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
        if (selected.length + candidates.length == 0) {
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
            if (!provision.claim.selectedNode().equals(columns.node(slot).name())) {
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
