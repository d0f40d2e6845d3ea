package io.berth.api.model;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import org.jspecify.annotations.Nullable;

/// How much room there is for volumes of a class on some nodes.
///
/// @param nodeTopology which nodes, by their labels; absent, none
/// @param capacity all room; null where absent
/// @param maximumVolumeSize the largest volume that can be made; null where absent
public record CsiStorageCapacity(
        String namespace,
        String name,
        String storageClass,
        LabelSelector nodeTopology,
        @Nullable Quantity capacity,
        @Nullable Quantity maximumVolumeSize)
        implements ClusterObject {
    @Override
    public Kind kind() {
        return Kind.CSI_STORAGE_CAPACITY;
    }

    /// The largest volume for which there is room; null where that is not known.
    public @Nullable Quantity limit() {
        return maximumVolumeSize != null ? maximumVolumeSize : capacity;
    }
}
