package io.berth.kube.lease;

import java.time.Duration;
import java.time.Instant;

/// Clocks that a test moves: usually both, sometimes one. Thread-safe.
final class TestClock implements ElectionClock {
    static final Instant START = Instant.parse("2026-05-01T10:00:00Z");

    private long nanos = 1_000_000_000_000L;
    private Instant now = START;

    synchronized void advance(Duration time) {
        nanos += time.toNanos();
        now = now.plus(time);
    }

    /// A machine that sleeps: only the time of day goes on.
    synchronized void suspend(Duration time) {
        now = now.plus(time);
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized Instant now() {
        return now;
    }
}
