package io.berth.api.plugin;

import io.berth.api.model.Pod;

/// Prepares a binding, for example by provisioning a volume. Runs on a binding thread and may
/// block.
public interface PreBind extends Plugin {
    /// Whether there will be something to do. Asked on the engine thread once the pod has its place
    /// in the books, so it must not block.
    default boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
        return true;
    }

    PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName);

    /// Asks a [#preBind] of this pod that is under way to come to its end soon: the pod is not to
    /// be bound after all, so its verdict no longer matters. Called by another thread, perhaps just
    /// after the end; must not block.
    default void cancelPreBind(Cycle cycle, Pod pod, String nodeName) {}

    /// Whether this plugin may run at the same time as its neighbours in the list.
    default boolean allowsParallel() {
        return false;
    }
}
