package io.berth.engine.query;

import io.berth.api.model.Pod;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.engine.queue.SubQueue;
import java.util.OptionalLong;
import java.util.Set;

/// A pod in the queue: where it waits, and why.
///
/// @param attempts how often it was tried
/// @param sinceMillis when it came, or came back from its last attempt
/// @param backoffUntilMillis until when it backs off; empty where it does not, or that is not known
/// @param refusedBy plugins that refused it in its last attempt, or keep it from being tried
/// @param pendingFor plugins that asked it to wait for something they have set in motion
/// @param gatedBy the PreEnqueue plugin that keeps it from being tried; empty where none does
public record PendingPod(
        Pod pod,
        SubQueue subQueue,
        int attempts,
        long sinceMillis,
        OptionalLong backoffUntilMillis,
        Set<String> refusedBy,
        Set<String> pendingFor,
        String gatedBy) {
    public PendingPod {
        refusedBy = Set.copyOf(refusedBy);
        pendingFor = Set.copyOf(pendingFor);
    }

    static PendingPod of(QueuedPodInfo info) {
        return new PendingPod(
                info.pod(),
                info.subQueue(),
                info.attempts(),
                info.timestampMillis(),
                info.backoffExpirationMillis(),
                info.unschedulablePlugins(),
                info.pendingPlugins(),
                info.gatingPlugin());
    }
}
