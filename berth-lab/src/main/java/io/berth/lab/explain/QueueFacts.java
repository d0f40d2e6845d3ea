package io.berth.lab.explain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of a pod's place in the queue.
///
/// @param queue `active`, `backoff`, `parked`, `gated`, `inFlight`, or `unknown` where no scheduler
///   was asked
/// @param attempts -1 where it is not known
/// @param since when it began to wait
/// @param nextTry at the latest; null where it is not known
/// @param position its place among the active pods, from 1; 0 where it is not known
/// @param refusedBy plugins whose events wake it
/// @param ahead the first of the pods that come before it
/// @param history what earlier attempts came to, the latest last
public record QueueFacts(
        String queue,
        int attempts,
        @Nullable Instant since,
        @Nullable Instant nextTry,
        int position,
        List<String> refusedBy,
        List<String> ahead,
        List<Attempt> history) {
    public QueueFacts {
        refusedBy = List.copyOf(refusedBy);
        ahead = List.copyOf(ahead);
        history = List.copyOf(history);
    }

    public QueueFacts(
            String queue,
            int attempts,
            @Nullable Instant since,
            @Nullable Instant nextTry,
            int position,
            List<String> refusedBy) {
        this(queue, attempts, since, nextTry, position, refusedBy, List.of(), List.of());
    }

    /// Failed attempts in a row that said the same.
    ///
    /// @param time of the last of them
    /// @param message what users read
    public record Attempt(Instant time, int times, String message) {}

    /// Of a pod that no scheduler was asked about.
    public static QueueFacts unknown(@Nullable Instant since) {
        return new QueueFacts("unknown", -1, since, null, 0, List.of());
    }
}
