package io.berth.api.plugin;

/// What a judgement depends on that follows from a pod's spec and one node alone, and so is kept.
public sealed interface NodeLocal permits NodeLocalFilter, NodeLocalScore {
    /// Whether the judgement depends on the number of nodes in the cluster, so that all nodes are
    /// judged again when it changes.
    default boolean readsNodeCount() {
        return false;
    }

    /// Whether the judgement depends on the pod's claims, for volumes or for devices. Pods that
    /// differ in these alone, such as those of a StatefulSet, then share no results, whatever the
    /// other plugins do.
    default boolean readsClaims() {
        return false;
    }
}
