package io.berth.api.plugin;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import org.jspecify.annotations.Nullable;

/// Changes that the scheduler makes in the cluster. Every call blocks until the API server has
/// answered, so it belongs on a binding or background thread, never on the engine thread.
///
/// A call that fails throws a [ClusterException], whose kind says whether trying again may help.
public interface ClusterWrites {
    /// Gives the pod its node. The pod's uid goes along, so that a pod re-created under the same
    /// name is not bound by mistake.
    void bind(Pod pod, String node);

    /// Sets a condition and, where not null, the nominated node name (empty clears it). Only what
    /// differs from `pod` is sent; nothing is sent where nothing differs.
    void patchStatus(Pod pod, @Nullable PodCondition condition, @Nullable String nominatedNodeName);

    /// Deletes the pod with its own grace period.
    void delete(Pod pod);
}
