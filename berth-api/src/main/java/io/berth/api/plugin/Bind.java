package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.BindVerdict;

/// Binds a pod to its node. Runs on a binding thread and may block; throws where the cluster
/// refuses.
public interface Bind extends Plugin {
    BindVerdict bind(Cycle cycle, Pod pod, String nodeName);

    /// Whether binding is a single write to the API server and waits for nothing else.
    ///
    /// Where it is, the engine decides no further ahead than the API server takes such writes: pods
    /// that come later wait in the queue, in its order, rather than in line behind them. Where it
    /// is not, no pod ever waits for another one's binding.
    default boolean isSingleWrite() {
        return false;
    }
}
