package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;

/// Hears of a finished binding. Runs on a binding thread.
public interface PostBind extends Plugin {
    void postBind(Cycle cycle, Pod pod, String nodeName);
}
