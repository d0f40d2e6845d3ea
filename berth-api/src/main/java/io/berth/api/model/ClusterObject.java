package io.berth.api.model;

/// A fact about the cluster that the scheduler follows: one object of the Kubernetes API, reduced
/// to what scheduling reads.
public sealed interface ClusterObject
        permits Pod,
                Node,
                Namespace,
                Service,
                PodController,
                PodDisruptionBudget,
                PersistentVolume,
                PersistentVolumeClaim,
                StorageClass,
                CsiNode,
                CsiDriver,
                CsiStorageCapacity,
                VolumeAttachment,
                ResourceClaim,
                ResourceSlice,
                DeviceClass,
                CustomObject {
    Kind kind();

    /// Empty for objects outside namespaces.
    String namespace();

    String name();

    /// `namespace/name`, or the name alone outside namespaces: unique within the kind.
    default String key() {
        return namespace().isEmpty() ? name() : namespace() + "/" + name();
    }
}
