package io.berth.plugins.volumezone;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
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
import io.berth.plugins.hint.Hints;
import io.berth.plugins.volume.PodClaims;
import io.berth.plugins.volume.VolumeRelaxations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps a pod in the zones and regions that the labels of its volumes name.
public final class VolumeZone implements PreFilter, ClusterFilter, Events, Relaxable {
    public static final String NAME = "VolumeZone";

    static final Refusal OTHER_ZONE = Refusal.hopeless("node(s) had no available volume zone");
    static final Refusal NAMELESS_CLAIM = Refusal.hopeless("PersistentVolumeClaim had no name");
    static final Refusal NO_CLASS =
            Refusal.hopeless("PersistentVolumeClaim had no pv name and storageClass name");
    static final Refusal NAMELESS_VOLUME = Refusal.hopeless("PersistentVolume had no name");

    private static final Cycle.Key<Topologies> TOPOLOGIES = new Cycle.Key<>(Topologies.class);

    private final Handle handle;
    private final Lister<PersistentVolumeClaim> claims;
    private final Lister<PersistentVolume> volumes;
    private final Lister<StorageClass> classes;

    public VolumeZone(Handle handle) {
        this.handle = handle;
        var listers = handle.listers();
        this.claims = listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        this.volumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        this.classes = listers.of(Kind.STORAGE_CLASS, StorageClass.class);
    }

    @Override
    public String name() {
        return NAME;
    }

    /// What the labels of all volumes of the pod say.
    private record Topologies(List<Topology> all) implements Cycle.Note {
        @Override
        public Topologies copy() {
            return this;
        }
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        var found = new ArrayList<Topology>();
        var refusal = collect(pod, found);
        if (refusal != null) {
            return refusal;
        }
        if (found.isEmpty()) {
            return PreFilterVerdict.SKIP;
        }
        cycle.put(TOPOLOGIES, new Topologies(found));
        return PreFilterVerdict.PASS;
    }

    /// Finds what the labels of the pod's volumes say.
    ///
    /// @return why the pod cannot go anywhere; null where it can
    private @Nullable Refusal collect(Pod pod, List<Topology> into) {
        for (var volume : pod.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim(String name, _)) {
                var refusal = collect(pod.namespace(), name, into);
                if (refusal != null) {
                    return refusal;
                }
            }
        }
        return null;
    }

    private @Nullable Refusal collect(String namespace, String name, List<Topology> into) {
        if (name.isEmpty()) {
            return NAMELESS_CLAIM;
        }
        var claim = claims.get(namespace, name);
        if (claim == null) {
            return notFound("persistentvolumeclaim", name);
        }
        if (claim.volumeName().isEmpty()) {
            return unbound(claim.storageClass());
        }
        var volume = volumes.get(claim.volumeName());
        if (volume == null) {
            return notFound("persistentvolume", claim.volumeName());
        }
        into.addAll(Topology.of(volume));
        return null;
    }

    /// Null where the volume will be made once the pod has a node.
    private @Nullable Refusal unbound(String className) {
        if (className.isEmpty()) {
            return NO_CLASS;
        }
        var found = classes.get(className);
        if (found == null) {
            return notFound("storageclass.storage.k8s.io", className);
        }
        return switch (found.bindingMode()) {
            case WAIT_FOR_FIRST_CONSUMER -> null;
            case IMMEDIATE -> NAMELESS_VOLUME;
            case UNSET ->
                    Refusal.hopeless(
                            "VolumeBindingMode not set for StorageClass \"" + className + "\"");
        };
    }

    private static Refusal notFound(String kind, String name) {
        return Refusal.hopeless(PodClaims.notFound(kind, name));
    }

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        var known = cycle.find(TOPOLOGIES);
        if (known != null) {
            return new ZoneJudge(known.all, columns);
        }
        var found = new ArrayList<Topology>();
        var refusal = collect(pod, found);
        return refusal == null ? new ZoneJudge(found, columns) : new Everywhere(refusal);
    }

    /// Refuses every node.
    private record Everywhere(Refusal refusal) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return false;
        }

        @Override
        public Refusal explain(int slot) {
            return refusal;
        }
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return VolumeRelaxations.of(handle, pod, obstacles);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(ClusterEvent.STORAGE_CLASS, Action.ADD, VolumeZone::classCame),
                Registration.of(ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_LABEL),
                Registration.of(
                        ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                        Action.ADD | Action.UPDATE,
                        VolumeZone::claimChanged),
                Registration.of(
                        ClusterEvent.PERSISTENT_VOLUME,
                        Action.ADD | Action.UPDATE,
                        VolumeZone::volumeChanged));
    }

    private static Hint classCame(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var came = Hints.as(StorageClass.class, after);
        return Hints.queueIf(
                came != null && came.bindingMode() == BindingMode.WAIT_FOR_FIRST_CONSUMER);
    }

    private static Hint claimChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var claim = Hints.as(PersistentVolumeClaim.class, after);
        return Hints.queueIf(claim != null && PodClaims.refersTo(waiting, claim, false));
    }

    private static Hint volumeChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.as(PersistentVolume.class, before);
        var now = Hints.as(PersistentVolume.class, after);
        return Hints.queueIf(
                old == null || now != null && !Topology.of(old).equals(Topology.of(now)));
    }
}
