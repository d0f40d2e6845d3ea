package io.berth.api.plugin;

import io.berth.api.model.Pod;

/// Orders the pods that wait to be tried. Exactly one per process.
public interface QueueSort extends Plugin {
    /// Whether `a` is tried before `b`.
    boolean less(QueuedPod a, QueuedPod b);

    /// A pod in the queue.
    interface QueuedPod {
        Pod pod();

        /// When it came, or came back, to the queue.
        long timestampMillis();

        int attempts();
    }
}
