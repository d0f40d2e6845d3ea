package io.berth.api.event;

/// Something that happened (or that a plugin wants to hear of): a resource and a mask of [Action]s.
public record ClusterEvent(String resource, int actions, String label) {
    public static final String POD = "Pod";
    public static final String NODE = "Node";
    public static final String PERSISTENT_VOLUME = "PersistentVolume";
    public static final String PERSISTENT_VOLUME_CLAIM = "PersistentVolumeClaim";
    public static final String CSI_NODE = "storage.k8s.io/CSINode";
    public static final String CSI_DRIVER = "storage.k8s.io/CSIDriver";
    public static final String VOLUME_ATTACHMENT = "storage.k8s.io/VolumeAttachment";
    public static final String CSI_STORAGE_CAPACITY = "storage.k8s.io/CSIStorageCapacity";
    public static final String STORAGE_CLASS = "storage.k8s.io/StorageClass";
    public static final String RESOURCE_CLAIM = "resource.k8s.io/ResourceClaim";
    public static final String RESOURCE_SLICE = "resource.k8s.io/ResourceSlice";
    public static final String DEVICE_CLASS = "resource.k8s.io/DeviceClass";

    /// A pod that has a node; happens, but plugins register for [#POD].
    public static final String ASSIGNED_POD = "AssignedPod";

    /// A pod without a node; happens, but plugins register for [#POD].
    public static final String UNSCHEDULABLE_POD = "UnschedulablePod";

    public static final String ANY = "*";

    /// Wakes every pod: it has waited for too long.
    public static final ClusterEvent UNSCHEDULABLE_TIMEOUT =
            new ClusterEvent(ANY, Action.ALL, "UnschedulableTimeout");

    /// Wakes the pods that a plugin asked to activate.
    public static final ClusterEvent FORCE_ACTIVATE =
            new ClusterEvent(ANY, Action.ALL, "ForceActivate");

    public static ClusterEvent of(String resource, int actions) {
        return new ClusterEvent(resource, actions, resource + Action.nameOf(actions));
    }

    public boolean isWildcard() {
        return resource.equals(ANY) && actions == Action.ALL;
    }

    /// Whether a plugin that registered this event hears of `incoming` (rule E-53). A plain update
    /// (all update bits) is heard only by those who registered for every update.
    public boolean matches(ClusterEvent incoming) {
        return isWildcard()
                || (coversResource(incoming.resource)
                        && (actions & incoming.actions) != 0
                        && incoming.actions <= actions);
    }

    private boolean coversResource(String other) {
        return resource.equals(ANY)
                || resource.equals(other)
                || (resource.equals(POD)
                        && (other.equals(ASSIGNED_POD) || other.equals(UNSCHEDULABLE_POD)));
    }
}
