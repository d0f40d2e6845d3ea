package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.query.EngineQueries;
import io.berth.engine.query.PendingPod;
import io.berth.engine.queue.SubQueue;
import io.berth.engine.queue.Turn;
import io.berth.lab.explain.QueueFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an engine knows at one moment: the cluster, and its queue.
///
/// @param queue what is known of each pod that waits, by `namespace/name`
/// @param stopped for how long the engine did nothing else
public record LiveState(
        ClusterImage image, Map<String, QueueFacts> queue, long takenNanos, Duration stopped) {
    private static final int MOST_AHEAD = 3;

    public LiveState {
        queue = Map.copyOf(queue);
    }

    /// What is known of a cluster whose scheduler was not asked.
    public static LiveState of(ClusterImage image) {
        return new LiveState(image, Map.of(), System.nanoTime(), Duration.ZERO);
    }

    /// On the engine thread.
    ///
    /// @param maxTimeParked for how long a pod is parked at most
    public static LiveState of(
            EngineQueries engine, AttemptHistory history, Duration maxTimeParked) {
        long begin = System.nanoTime();
        var queue = queue(engine, history, maxTimeParked);
        var image = engine.image();
        long now = System.nanoTime();
        return new LiveState(image, queue, now, Duration.ofNanos(now - begin));
    }

    static Map<String, QueueFacts> queue(
            EngineQueries engine, AttemptHistory history, Duration maxTimeParked) {
        var queue = new HashMap<String, QueueFacts>();
        var first = new ArrayList<String>();
        int position = 0;
        for (var pending : engine.queue()) {
            boolean isActive = pending.subQueue() == SubQueue.ACTIVE;
            position += isActive ? 1 : 0;
            var key = pending.pod().key();
            queue.put(
                    key,
                    facts(
                            pending,
                            isActive ? position : 0,
                            isActive ? first : List.of(),
                            history.of(pending.pod().uid()),
                            maxTimeParked));
            if (isActive && first.size() < MOST_AHEAD) {
                first.add(key);
            }
        }
        for (var waiting : engine.waiting()) {
            queue.put(waiting.pod().key(), waiting(waiting.pod()));
        }
        return queue;
    }

    /// The same about one pod, for which the others are put in no order.
    static Map<String, QueueFacts> queue(
            EngineQueries engine, AttemptHistory history, Duration maxTimeParked, Pod pod) {
        var key = pod.key();
        var permit = engine.waiting(pod.uid());
        if (permit.isPresent()) {
            return Map.of(key, waiting(permit.get().pod()));
        }
        var turn = engine.turn(key, MOST_AHEAD);
        return engine.pending(key)
                .map(pending ->
                        facts(
                                pending,
                                turn.map(Turn::position).orElse(0),
                                turn.map(Turn::ahead).orElse(List.of()),
                                history.of(pending.pod().uid()),
                                maxTimeParked))
                .map(facts -> Map.of(key, facts))
                .orElse(Map.of());
    }

    private static QueueFacts waiting(Pod pod) {
        return new QueueFacts("waiting", -1, pod.createdAt(), null, 0, List.of());
    }

    private static QueueFacts facts(
            PendingPod pending,
            int position,
            List<String> ahead,
            List<QueueFacts.Attempt> history,
            Duration maxTimeParked) {
        return new QueueFacts(
                name(pending),
                pending.attempts(),
                Instant.ofEpochMilli(pending.sinceMillis()),
                nextTry(pending, maxTimeParked),
                position,
                pending.refusedBy().stream().sorted().toList(),
                ahead,
                history);
    }

    private static @Nullable Instant nextTry(PendingPod pending, Duration maxTimeParked) {
        var until = pending.backoffUntilMillis();
        if (until.isPresent() && pending.subQueue() != SubQueue.PARKED) {
            return Instant.ofEpochMilli(until.getAsLong());
        }
        return pending.subQueue() == SubQueue.PARKED && pending.gatedBy().isEmpty()
                ? Instant.ofEpochMilli(pending.sinceMillis()).plus(maxTimeParked)
                : null;
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
