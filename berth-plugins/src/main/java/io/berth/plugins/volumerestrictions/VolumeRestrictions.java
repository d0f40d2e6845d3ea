package io.berth.plugins.volumerestrictions;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.handle.NodeList;
import io.berth.api.model.AccessMode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.hint.Hints;
import io.berth.plugins.volume.PodClaims;
import io.berth.plugins.volume.VolumeRelaxations;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps a pod off nodes where another uses its disk, and waits while another uses a claim that is
/// for a single pod.
public final class VolumeRestrictions
        implements PreFilter, ClusterFilter, PreFilter.WhatIf, Events, Relaxable {
    public static final String NAME = "VolumeRestrictions";

    static final Refusal DISK_TAKEN = Refusal.mayPreempt("node(s) had no available disk");
    static final Refusal CLAIM_TAKEN =
            Refusal.mayPreempt(
                    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access"
                            + " mode already in-use by another pod");

    private static final Cycle.Key<Taken> TAKEN = new Cycle.Key<>(Taken.class);

    private final Handle handle;
    private final Lister<PersistentVolumeClaim> claims;
    private final NodeList nodes;

    public VolumeRestrictions(Handle handle) {
        this.handle = handle;
        this.claims =
                handle.listers().of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        this.nodes = handle.nodes();
    }

    @Override
    public String name() {
        return NAME;
    }

    /// The pod's claims that are for a single pod, by name, and how often others use them.
    private static final class Taken implements Cycle.Note {
        final Set<String> exclusive;
        int uses;

        Taken(Set<String> exclusive, int uses) {
            this.exclusive = exclusive;
            this.uses = uses;
        }

        @Override
        public Taken copy() {
            return new Taken(exclusive, uses);
        }

        /// Only names are compared, as upstream does.
        void count(Pod other, int sign) {
            if (exclusive.isEmpty()) {
                return;
            }
            for (var volume : other.spec().volumes()) {
                if (volume.source() instanceof Volume.Claim claim
                        && exclusive.contains(claim.claimName())) {
                    uses += sign;
                }
            }
        }
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        var volumes = pod.spec().volumes();
        if (volumes.isEmpty()) {
            return PreFilterVerdict.SKIP;
        }
        var exclusive = new HashSet<String>();
        for (var volume : volumes) {
            if (volume.source() instanceof Volume.Claim(String name, _)) {
                var claim = claims.get(pod.namespace(), name);
                if (claim == null) {
                    return Refusal.hopeless(PodClaims.notFound("persistentvolumeclaim", name));
                }
                if (claim.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD)) {
                    exclusive.add(name);
                }
            }
        }
        int uses = uses(pod, exclusive);
        if (uses == 0 && DiskConflicts.disksOf(volumes).isEmpty()) {
            return PreFilterVerdict.SKIP;
        }
        cycle.put(TAKEN, new Taken(exclusive, uses));
        return PreFilterVerdict.PASS;
    }

    private int uses(Pod pod, Set<String> exclusive) {
        int uses = 0;
        for (var name : exclusive) {
            if (nodes.isClaimInUse(pod.namespace() + "/" + name)) {
                uses++;
            }
        }
        return uses;
    }

    @Override
    public PreFilter.WhatIf whatIf() {
        return this;
    }

    @Override
    public void podAdded(Cycle cycle, Pod pod, Pod other, NodeView node) {
        cycle.read(TAKEN).count(other, 1);
    }

    @Override
    public void podRemoved(Cycle cycle, Pod pod, Pod other, NodeView node) {
        cycle.read(TAKEN).count(other, -1);
    }

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        return new Judge(DiskConflicts.disksOf(pod.spec().volumes()), cycle.read(TAKEN), columns);
    }

    private record Judge(List<Volume.Source> disks, Taken taken, NodeColumns columns)
            implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return taken.uses <= 0 && !isDiskTaken(slot);
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            return disks.isEmpty() ? List.of() : null;
        }

        @Override
        public Verdict explain(int slot) {
            if (isDiskTaken(slot)) {
                return DISK_TAKEN;
            }
            return taken.uses > 0 ? CLAIM_TAKEN : Verdict.PASS;
        }

        private boolean isDiskTaken(int slot) {
            if (disks.isEmpty()) {
                return false;
            }
            var pods = columns.node(slot).pods();
            for (int i = 0; i < pods.size(); i++) {
                if (DiskConflicts.conflict(disks, pods.get(i))) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return VolumeRelaxations.of(handle, pod, obstacles);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(ClusterEvent.POD, Action.DELETE, VolumeRestrictions::diskFreed),
                Registration.of(ClusterEvent.NODE, Action.ADD),
                Registration.of(
                        ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                        Action.ADD,
                        VolumeRestrictions::claimCame));
    }

    /// A claim that both use may have been for a single pod; who says so is not looked up.
    private static Hint diskFreed(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var gone = Hints.pod(before);
        if (gone == null || !gone.namespace().equals(waiting.namespace())) {
            return Hint.SKIP;
        }
        var disks = DiskConflicts.disksOf(waiting.spec().volumes());
        return Hints.queueIf(
                !disks.isEmpty() && DiskConflicts.conflict(disks, gone)
                        || sharesClaim(waiting, gone));
    }

    private static boolean sharesClaim(Pod one, Pod two) {
        for (var volume : one.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim(String name, _)) {
                for (var other : two.spec().volumes()) {
                    if (other.source() instanceof Volume.Claim(String used, _)
                            && used.equals(name)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static Hint claimCame(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var claim = Hints.as(PersistentVolumeClaim.class, after);
        return Hints.queueIf(claim != null && PodClaims.refersTo(waiting, claim, false));
    }
}
