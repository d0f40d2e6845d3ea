package io.berth.engine.port;

/// The engine's clock.
public interface TimeSource {
    /// Wall-clock time; queue timestamps and back-offs count in it.
    long nowMillis();

    /// A clock for durations, unaffected by changes of the wall clock.
    long nanos();
}
