package io.berth.api.plugin;

import io.berth.api.model.Pod;

/// Binds a pod to its node. Runs on a binding thread and may block; throws where the cluster
/// refuses.
public interface Bind extends Plugin {
    BindVerdict bind(Cycle cycle, Pod pod, String nodeName);
}
