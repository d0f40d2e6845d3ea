package io.berth.kube.watch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// The pauses between tries: each twice as long as the one before, up to a limit, with as much
/// again of jitter; from the start after a time without failures. Used by one thread.
final class Backoff {
    private final WatchTimes times;
    private final RandomGenerator random;
    private long nextNanos;
    private long failedAt;
    private boolean failed;

    Backoff(WatchTimes times, RandomGenerator random) {
        this.times = times;
        this.random = random;
        this.nextNanos = times.firstBackoff().toNanos();
    }

    /// The pause after a failure at this time.
    Duration next(long nowNanos) {
        if (failed && nowNanos - failedAt > times.healthyAfter().toNanos()) {
            nextNanos = times.firstBackoff().toNanos();
        }
        failed = true;
        long base = nextNanos;
        nextNanos = Math.min(2 * base, times.maxBackoff().toNanos());
        long pause = base + (long) (random.nextDouble() * base);
        failedAt = nowNanos + pause;
        return Duration.ofNanos(pause);
    }
}
