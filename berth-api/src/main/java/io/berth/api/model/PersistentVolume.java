package io.berth.api.model;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A volume of the cluster: where it can be reached, how large it is, and whose it is.
///
/// @param capacity its storage; zero where the object states none
/// @param storageClass the class by its annotation of old, or else by its field; empty where absent
/// @param volumeMode `Filesystem` where absent
/// @param attributesClass empty where absent
/// @param claim whose it is or is kept for; null for a free one
/// @param nodeAffinity the nodes that reach it, of which labels alone are asked; null for all
/// @param source its driver and handle, or the source in the tree that is translated to one
public record PersistentVolume(
        String name,
        String uid,
        String resourceVersion,
        Labels labels,
        Quantity capacity,
        Set<AccessMode> accessModes,
        String storageClass,
        String volumeMode,
        String attributesClass,
        @Nullable ClaimReference claim,
        @Nullable NodeSelector nodeAffinity,
        Volume.Source source,
        String phase,
        boolean isDeleting)
        implements ClusterObject {
    public static final String FILESYSTEM = "Filesystem";

    public PersistentVolume {
        accessModes = AccessMode.setOf(accessModes);
    }

    /// @param uid empty where any claim of the name is meant
    public record ClaimReference(String namespace, String name, String uid) {}

    public static PersistentVolumeBuilder named(String name) {
        return new PersistentVolumeBuilder(name);
    }

    /// A builder with all that this one has.
    public PersistentVolumeBuilder toBuilder() {
        return new PersistentVolumeBuilder(this);
    }

    @Override
    public Kind kind() {
        return Kind.PERSISTENT_VOLUME;
    }

    @Override
    public String namespace() {
        return "";
    }
}
