package io.berth.engine.queue;

import io.berth.engine.port.TimeSource;
import java.time.Instant;

/// A clock that moves when told to. It starts at noon.
final class HandClock implements TimeSource {
    static final long NOON = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

    private long millis = NOON;

    @Override
    public long nowMillis() {
        return millis;
    }

    @Override
    public long nanos() {
        return millis * 1_000_000;
    }

    void advance(long byMillis) {
        millis += byMillis;
    }

    /// Sets the time as milliseconds after noon.
    void atMillis(long afterNoon) {
        millis = NOON + afterNoon;
    }
}
