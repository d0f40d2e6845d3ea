package io.berth.plugins.nodevolumelimits;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.VolumeAttachment;
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
import io.berth.plugins.volume.CsiHandles;
import io.berth.plugins.volume.CsiHandles.UntranslatableException;
import io.berth.plugins.volume.InTreeVolume;
import io.berth.plugins.volume.PodClaims;
import io.berth.plugins.volume.VolumeRelaxations;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps a pod off nodes to which its volumes cannot be attached any more, since they have all that
/// the volumes' driver can attach.
public final class NodeVolumeLimits implements PreFilter, ClusterFilter, Events, Relaxable {
    public static final String NAME = "NodeVolumeLimits";

    static final Refusal FULL = Refusal.mayPreempt("node(s) exceed max volume count");

    private final Handle handle;
    private final KeptVolumes kept;
    private final Lister<CsiDriver> drivers;
    private final boolean looksForDrivers;

    public NodeVolumeLimits(Handle handle) {
        this.handle = handle;
        this.kept = KeptVolumes.of(handle);
        this.drivers = handle.listers().of(Kind.CSI_DRIVER, CsiDriver.class);
        this.looksForDrivers = handle.isFeatureOn("VolumeLimitScaling");
    }

    static Refusal notInstalled(String driver) {
        return Refusal.mayPreempt(driver + " CSI driver is not installed on the node");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        // Nodes are put into groups by these counts, once for pods with volumes and for those
        // without that are alike otherwise.
        kept.refresh();
        return PodVolumes.mayCount(pod) ? PreFilterVerdict.PASS : PreFilterVerdict.SKIP;
    }

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        if (!PodVolumes.mayCount(pod)) {
            return SlotJudge.PASS_ALL;
        }
        kept.refresh();
        return new LimitJudge(pod, kept, columns, this::mustBeInstalled);
    }

    private boolean mustBeInstalled(String driver) {
        var known = looksForDrivers ? drivers.get(driver) : null;
        return known != null && known.preventsSchedulingIfMissing();
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        boolean isFull = obstacles.stream().allMatch(obstacle -> obstacle.refusal().equals(FULL));
        return isFull ? List.of() : VolumeRelaxations.of(handle, pod, obstacles);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(ClusterEvent.CSI_NODE, Action.ADD),
                Registration.of(ClusterEvent.CSI_NODE, Action.UPDATE, NodeVolumeLimits::limitRose),
                Registration.of(ClusterEvent.POD, Action.DELETE, NodeVolumeLimits::volumeFreed),
                Registration.of(
                        ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                        Action.ADD,
                        NodeVolumeLimits::claimCame),
                Registration.of(
                        ClusterEvent.VOLUME_ATTACHMENT, Action.DELETE, NodeVolumeLimits::detached));
    }

    private static Hint limitRose(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.as(CsiNode.class, before);
        var now = Hints.as(CsiNode.class, after);
        if (old == null || now == null) {
            return Hint.QUEUE;
        }
        for (var driver : now.drivers()) {
            if (limit(driver) > limit(old.driver(driver.name()))) {
                return Hint.QUEUE;
            }
        }
        return Hint.SKIP;
    }

    private static int limit(CsiNode.@Nullable Driver driver) {
        return driver == null || !driver.isLimited() ? 0 : driver.count();
    }

    private static Hint volumeFreed(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var gone = Hints.pod(before);
        return Hints.queueIf(
                gone != null && Hints.isBoundOrNominated(gone) && PodVolumes.mayCount(gone));
    }

    private static Hint claimCame(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var claim = Hints.as(PersistentVolumeClaim.class, after);
        return Hints.queueIf(claim != null && PodClaims.refersTo(waiting, claim, true));
    }

    /// Claims are not looked up; claims made for the pod alone are passed over, as upstream does.
    private static Hint detached(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var gone = Hints.as(VolumeAttachment.class, before);
        if (gone == null) {
            return Hint.SKIP;
        }
        for (var volume : waiting.spec().volumes()) {
            var source = volume.source();
            if (source instanceof Volume.Claim || isDrivenBy(source, gone.attacher())) {
                return Hint.QUEUE;
            }
        }
        return Hint.SKIP;
    }

    private static boolean isDrivenBy(Volume.Source source, String driver) {
        var known = InTreeVolume.of(source);
        if (known == null) {
            return false;
        }
        if (known == InTreeVolume.AZURE_FILE) {
            return known.driver().equals(driver);
        }
        try {
            CsiHandles.of(source, Labels.EMPTY);
            return known.driver().equals(driver);
        } catch (UntranslatableException unclear) {
            return true;
        }
    }
}
