package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.EngineQueries;
import io.berth.engine.query.PendingPod;
import io.berth.engine.queue.SubQueue;
import io.berth.lab.explain.QueueFacts;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What an engine knows at one moment: the cluster, and its queue.
///
/// @param queue what is known of each pod that waits, by `namespace/name`
public record LiveState(ClusterImage image, Map<String, QueueFacts> queue, long takenNanos) {
    public LiveState {
        queue = Map.copyOf(queue);
    }

    /// What is known of a cluster whose scheduler was not asked.
    public static LiveState of(ClusterImage image) {
        return new LiveState(image, Map.of(), System.nanoTime());
    }

    /// On the engine thread.
    public static LiveState of(EngineQueries engine) {
        var queue = new HashMap<String, QueueFacts>();
        int position = 0;
        for (var pending : engine.queue()) {
            boolean isActive = pending.subQueue() == SubQueue.ACTIVE;
            position += isActive ? 1 : 0;
            queue.put(pending.pod().key(), facts(pending, isActive ? position : 0));
        }
        for (var waiting : engine.waiting()) {
            Pod pod = waiting.pod();
            queue.put(
                    pod.key(), new QueueFacts("waiting", -1, pod.createdAt(), null, 0, List.of()));
        }
        return new LiveState(engine.image(), queue, System.nanoTime());
    }

    private static QueueFacts facts(PendingPod pending, int position) {
        var until = pending.backoffUntilMillis();
        return new QueueFacts(
                name(pending),
                pending.attempts(),
                Instant.ofEpochMilli(pending.sinceMillis()),
                until.isPresent() ? Instant.ofEpochMilli(until.getAsLong()) : null,
                position,
                pending.refusedBy().stream().sorted().toList());
    }

    private static String name(PendingPod pending) {
        if (!pending.gatedBy().isEmpty()) {
            return "gated";
        }
        return switch (pending.subQueue()) {
            case ACTIVE -> "active";
            case BACKOFF, ERROR_BACKOFF -> "backoff";
            case PARKED -> "parked";
            case OUT -> "inFlight";
        };
    }
}
