package io.berth.testkit;

import io.berth.engine.port.TimeSource;
import java.time.Duration;
import java.time.Instant;

/// A clock that moves when told to. Its wall clock begins at a whole second and can be set. Not
/// thread-safe.
public final class HandClock implements TimeSource {
    public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private long elapsedNanos;
    private long setForwardMillis;

    @Override
    public long nowMillis() {
        return START.toEpochMilli() + elapsedNanos / 1_000_000;
    }

    @Override
    public long nanos() {
        return elapsedNanos;
    }

    @Override
    public long wallMillis() {
        return nowMillis() + setForwardMillis;
    }

    /// Somebody sets the wall clock; the time that has passed stays what it is.
    public void setWall(Instant time) {
        setForwardMillis = time.toEpochMilli() - nowMillis();
    }

    public Instant now() {
        return Instant.ofEpochMilli(nowMillis());
    }

    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time does not go back: " + duration);
        }
        elapsedNanos += duration.toNanos();
    }

    public void advanceTo(long wallMillis) {
        advance(Duration.ofMillis(Math.max(0, wallMillis - nowMillis())));
    }
}
