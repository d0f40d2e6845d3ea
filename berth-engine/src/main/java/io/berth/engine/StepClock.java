package io.berth.engine;

import io.berth.engine.port.TimeSource;

/// The engine's time: read once per step, so that everything in a step happens at the same moment.
/// Durations for metrics are another matter; nothing that is decided depends on them.
///
/// Owned by the engine thread, except for [#nanos].
final class StepClock implements TimeSource {
    private final TimeSource source;
    private long nowMillis;
    private long wallMillis;

    StepClock(TimeSource source) {
        this.source = source;
        read();
    }

    /// A step begins.
    void read() {
        nowMillis = source.nowMillis();
        wallMillis = source.wallMillis();
    }

    @Override
    public long nowMillis() {
        return nowMillis;
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    @Override
    public long nanos() {
        return source.nanos();
    }
}
