package io.berth.api.plugin;

import io.berth.api.model.Pod;
import java.util.List;

/// Pods that expect a node because a preemption makes room for them there.
public interface Nominations {
    /// Whether no pod is nominated anywhere.
    boolean isEmpty();

    List<Pod> on(String nodeName);

    void nominate(Pod pod, String nodeName);

    void remove(Pod pod);
}
