package io.berth.api.handle;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import org.jspecify.annotations.Nullable;

/// Hears of every change of the state, so that a plugin can keep counts instead of recounting.
/// Called on the engine thread, between attempts.
public interface StateObserver {
    /// A pod was assumed on or seen on the node in this slot.
    void podAdded(Pod pod, int slot);

    void podRemoved(Pod pod, int slot);

    /// A node came (before is null), changed, or went (after is null). Pods may be on the slot
    /// before the node comes and after it went.
    void nodeChanged(int slot, @Nullable Node before, @Nullable Node after);

    /// Another object came, changed or went.
    default void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {}
}
