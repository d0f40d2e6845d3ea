package io.berth.engine.queue;

import java.time.Duration;

/// How long pods wait.
///
/// @param initialBackoff after the first failure; doubled by each further one
/// @param maxBackoff the most a pod backs off; zero switches backoff off
/// @param maxTimeParked a pod that no event has woken for so long is tried anyway
/// @param popFromBackoff whether a pod that backs off is tried early when nothing else is ready
///   (feature gate SchedulerPopFromBackoffQ)
public record QueueSettings(
        Duration initialBackoff,
        Duration maxBackoff,
        Duration maxTimeParked,
        boolean popFromBackoff) {
    public static final QueueSettings DEFAULT =
            new QueueSettings(
                    Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), true);
}
