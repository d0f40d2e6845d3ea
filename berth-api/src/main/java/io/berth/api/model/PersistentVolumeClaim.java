package io.berth.api.model;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A wish for a volume, and the volume that it got.
///
/// @param volumeName of its volume; empty where none is chosen
/// @param isBindCompleted whether claim and volume know each other, by the annotation
///   `pv.kubernetes.io/bind-completed`
/// @param selectedNode the node for which its volume is to be made, by the annotation
///   `volume.kubernetes.io/selected-node`, which may be empty; null where absent
/// @param isAnnotated whether it has any annotation at all
/// @param storageClass the class by its annotation of old, or else by its field; empty where absent
/// @param request the storage that it asks for; null where it states none
/// @param selector of the volume's labels; one that matches everything where absent
/// @param volumeMode `Filesystem` where absent
/// @param attributesClass empty where absent
/// @param controllerUid of the controller that owns it, such as a pod for which it was made; empty
///   where there is none
public record PersistentVolumeClaim(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        String volumeName,
        boolean isBindCompleted,
        @Nullable String selectedNode,
        boolean isAnnotated,
        String storageClass,
        Set<AccessMode> accessModes,
        @Nullable Quantity request,
        LabelSelector selector,
        String volumeMode,
        String attributesClass,
        String phase,
        boolean isDeleting,
        String controllerUid)
        implements ClusterObject {
    public static final String LOST = "Lost";

    public PersistentVolumeClaim {
        accessModes = AccessMode.setOf(accessModes);
    }

    public static PersistentVolumeClaimBuilder named(String namespace, String name) {
        return new PersistentVolumeClaimBuilder(namespace, name);
    }

    /// A builder with all that this one has.
    public PersistentVolumeClaimBuilder toBuilder() {
        return new PersistentVolumeClaimBuilder(this);
    }

    @Override
    public Kind kind() {
        return Kind.PERSISTENT_VOLUME_CLAIM;
    }

    /// Whether it has its volume for good.
    public boolean isBound() {
        return isBindCompleted && !volumeName.isEmpty();
    }

    public boolean isLost() {
        return phase.equals(LOST);
    }
}
