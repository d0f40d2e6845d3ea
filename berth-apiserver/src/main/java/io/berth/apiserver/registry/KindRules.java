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
                    "VolumeAttachment",
                    "CustomResourceDefinition");
    private static final Set<String> RETURN_DELETED =
            Set.of(
                    "Namespace",
                    "Pod",
                    "Service",
                    "PersistentVolume",
                    "PersistentVolumeClaim",
                    "ServiceAccount",
                    "StorageClass",
                    "VolumeAttributesClass",
                    "CSINode",
                    "CSIDriver",
                    "VolumeAttachment",
                    "ResourceClaim",
                    "ResourceClaimTemplate",
                    "ResourceSlice",
                    "DeviceClass");

    /// Their dependents stay, unless the client says otherwise: so it was before there were owners.
    private static final Set<String> ORPHANS_BY_DEFAULT = Set.of("Job", "ReplicationController");

    private KindRules() {}

    static boolean orphansByDefault(ResourceType type) {
        return ORPHANS_BY_DEFAULT.contains(type.builtInKind());
    }

    /// Nobody can own what an event is about, so no policy applies to it.
    static boolean ignoresPropagation(ResourceType type) {
        return type.builtInKind().equals("Event");
    }

    /// A PUT to a name that does not exist creates the object.
    static boolean createdByUpdate(ResourceType type) {
        return CREATED_BY_UPDATE.contains(type.builtInKind());
    }

    /// An update without resourceVersion overwrites whatever is there.
    static boolean allowsUnconditionalUpdate(ResourceType type) {
        return !type.custom() && !NEED_VERSION_ON_UPDATE.contains(type.builtInKind());
    }

    /// A DELETE that removes the object at once answers with the object, not with a `Status`.
    static boolean returnsDeletedObject(ResourceType type) {
        return RETURN_DELETED.contains(type.builtInKind());
    }
}
