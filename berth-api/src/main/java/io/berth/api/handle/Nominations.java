package io.berth.api.handle;

import io.berth.api.model.Pod;
import java.util.List;
import java.util.Optional;

/// Pods that expect a node because a preemption makes room for them there.
public interface Nominations {
    /// Whether no pod is nominated anywhere.
    boolean isEmpty();

    List<Pod> on(String nodeName);

    /// The node that a pod is nominated to. Known from the moment of the nomination on; the pod's
    /// status follows later.
    Optional<String> nodeOf(String podUid);

    void nominate(Pod pod, String nodeName);

    void remove(Pod pod);
}
