package io.berth.engine.port;

/// The engine's clocks.
public interface TimeSource {
    /// Milliseconds since 1970 that go on evenly: they begin with the wall clock and take no notice
    /// of it afterwards, so that a clock set back delays nothing. Everything that the engine waits
    /// for counts in them.
    long nowMillis();

    /// A clock for durations.
    long nanos();

    /// The wall clock, for what is compared with times of the API server.
    default long wallMillis() {
        return nowMillis();
    }
}
