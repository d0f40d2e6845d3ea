package io.berth.api.handle;

import io.berth.api.model.Pod;
import java.util.List;

/// A pod that keeps its place while a permit plugin makes up its mind. May be used from any thread.
public interface WaitingPod {
    Pod pod();

    /// The plugins that have not decided yet.
    List<String> pendingPlugins();

    /// One plugin's yes; the pod is bound when it was the last one.
    void allow(String plugin);

    /// A no. The pod goes back to the queue and waits for an event that helps.
    ///
    /// @return false where the pod had been allowed or rejected before
    boolean reject(String plugin, String message);

    /// A no on behalf of a more important pod. The pod is tried again after a back-off.
    boolean preempt(String plugin, String message);
}
