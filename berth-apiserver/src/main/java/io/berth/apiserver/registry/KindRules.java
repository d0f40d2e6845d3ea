package io.berth.apiserver.registry;

import io.berth.apiserver.resource.ResourceType;
import java.util.Set;

/// The few habits in which kinds differ, as kube-apiserver's registry has them.
final class KindRules {
    private static final Set<String> CREATED_BY_UPDATE =
            Set.of("Service", "Event", "Lease", "LeaseCandidate");
    private static final Set<String> NEED_VERSION_ON_UPDATE =
            Set.of(
                    "Lease",
                    "LeaseCandidate",
                    "PodDisruptionBudget",
                    "CSINode",
                    "CSIDriver",
                    "CSIStorageCapacity",
                    "VolumeAttachment");
    private static final Set<String> RETURN_DELETED =
            Set.of(
                    "Namespace",
                    "Pod",
                    "Service",
                    "PersistentVolume",
                    "PersistentVolumeClaim",
                    "ServiceAccount",
                    "StorageClass",
                    "CSINode",
                    "CSIDriver",
                    "VolumeAttachment",
                    "ResourceClaim",
                    "ResourceClaimTemplate",
                    "ResourceSlice",
                    "DeviceClass");

    private KindRules() {}

    /// A PUT to a name that does not exist creates the object.
    static boolean createdByUpdate(ResourceType type) {
        return CREATED_BY_UPDATE.contains(type.kind());
    }

    /// An update without resourceVersion overwrites whatever is there.
    static boolean allowsUnconditionalUpdate(ResourceType type) {
        return !NEED_VERSION_ON_UPDATE.contains(type.kind());
    }

    /// A DELETE that removes the object at once answers with the object, not with a `Status`.
    static boolean returnsDeletedObject(ResourceType type) {
        return RETURN_DELETED.contains(type.kind());
    }
}
