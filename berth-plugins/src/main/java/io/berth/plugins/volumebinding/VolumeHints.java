package io.berth.plugins.volumebinding;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.spec.Volume;
import io.berth.plugins.hint.Hints;
import io.berth.plugins.volume.PodClaims;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which events may help a pod that waits for its volumes (VB-19).
final class VolumeHints {
    private static final int ADD_OR_UPDATE = Action.ADD | Action.UPDATE;

    private VolumeHints() {}

    static List<Registration> registrations() {
        return List.of(
                Registration.of(
                        ClusterEvent.STORAGE_CLASS, ADD_OR_UPDATE, VolumeHints::classChanged),
                Registration.of(
                        ClusterEvent.PERSISTENT_VOLUME_CLAIM,
                        ADD_OR_UPDATE,
                        VolumeHints::claimChanged),
                Registration.of(ClusterEvent.PERSISTENT_VOLUME, ADD_OR_UPDATE),
                Registration.of(ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_LABEL),
                Registration.of(ClusterEvent.CSI_NODE, ADD_OR_UPDATE, VolumeHints::csiNodeChanged),
                Registration.of(ClusterEvent.CSI_DRIVER, Action.UPDATE, VolumeHints::driverChanged),
                Registration.of(
                        ClusterEvent.CSI_STORAGE_CAPACITY,
                        ADD_OR_UPDATE,
                        VolumeHints::capacityChanged));
    }

    private static Hint classChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        return Hints.queueIf(
                !(before instanceof StorageClass old && after instanceof StorageClass now)
                        || !old.allowedTopologies().equals(now.allowedTopologies()));
    }

    private static Hint claimChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        return Hints.queueIf(
                !(after instanceof PersistentVolumeClaim claim)
                        || PodClaims.refersTo(waiting, claim, true));
    }

    private static Hint csiNodeChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        return Hints.queueIf(
                !(before instanceof CsiNode old && after instanceof CsiNode now)
                        || !old.migratedPlugins().equals(now.migratedPlugins()));
    }

    private static Hint driverChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        if (!(before instanceof CsiDriver old && after instanceof CsiDriver now)) {
            return Hint.QUEUE;
        }
        boolean isUsed =
                waiting.spec().volumes().stream()
                        .anyMatch(volume ->
                                volume.source() instanceof Volume.Csi csi
                                        && csi.driver().equals(now.name()));
        return Hints.queueIf(isUsed && old.hasStorageCapacity() && !now.hasStorageCapacity());
    }

    private static Hint capacityChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        if (!(before instanceof CsiStorageCapacity old
                && after instanceof CsiStorageCapacity now)) {
            return Hint.QUEUE;
        }
        return Hints.queueIf(
                now.limit() != null
                        && (old.limit() == null || Capacities.limit(now) > Capacities.limit(old)));
    }
}
