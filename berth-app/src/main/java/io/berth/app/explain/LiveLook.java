package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.engine.query.Difference;
import io.berth.engine.query.Difference.Mark;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.explain.QueueFacts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What an engine has to tell since the last look: what has changed in the cluster, and what its
/// queue says of the pods that somebody asks about.
///
/// @param pods those without a node that are asked about
/// @param queue what is known of each of them, by `namespace/name`
/// @param hasPromises whether volumes or devices are promised to pods, which the difference does
///   not tell of, and a pod that is asked about may want some
/// @param stopped for how long the engine did nothing else
public record LiveLook(
        Difference difference,
        List<Pod> pods,
        Map<String, QueueFacts> queue,
        boolean hasPromises,
        long takenNanos,
        Duration stopped) {
    public LiveLook {
        pods = List.copyOf(pods);
        queue = Map.copyOf(queue);
    }

    /// Somebody who can be asked for it.
    public interface Engine {
        /// @param since what is known already; null where nothing is
        /// @param pod the one that is asked about, by `namespace/name`; empty for all of them
        CompletableFuture<LiveLook> look(@Nullable Mark since, String pod);

        /// Nobody asks any more for a while.
        default void rest() {}
    }

    /// On the engine thread. About one pod it takes the longer the more has changed, and the more
    /// pods are before it, of which no more are counted than it is worth.
    ///
    /// @param maxTimeParked for how long a pod is parked at most
    public static LiveLook of(
            EngineQueries engine,
            AttemptHistory history,
            Duration maxTimeParked,
            @Nullable Mark since,
            String pod) {
        long begin = System.nanoTime();
        var difference = engine.difference(since);
        var asked = pod.isEmpty() ? Optional.<Pod>empty() : engine.pod(pod);
        List<Pod> pods =
                pod.isEmpty()
                        ? engine.podsWithoutNode()
                        : asked.filter(known -> !known.isAssigned()).stream().toList();
        var queue =
                pod.isEmpty()
                        ? LiveState.queue(engine, history, maxTimeParked)
                        : asked.map(one -> LiveState.queue(engine, history, maxTimeParked, one))
                                .orElse(Map.of());
        boolean hasPromises =
                (pod.isEmpty() || asked.filter(EngineQueries::namesClaims).isPresent())
                        && engine.hasPromises();
        long now = System.nanoTime();
        return new LiveLook(
                difference, pods, queue, hasPromises, now, Duration.ofNanos(now - begin));
    }
}
