package io.berth.engine.port;

/// What the engine counts and times. Called on the engine thread, except where noted;
/// implementations must not block.
public interface EngineMetrics {
    EngineMetrics NONE = new EngineMetrics() {};

    /// An attempt ended.
    ///
    /// @param result `scheduled`, `unschedulable` or `error`
    default void attempt(String result, String profile, long nanos) {}

    /// A node was searched and chosen, or found missing.
    default void algorithm(long nanos) {}

    /// A pod got its node.
    ///
    /// @param attempts how often it was tried
    /// @param sliNanos from its first attempt on
    default void podScheduled(int attempts, long sliNanos) {}

    /// An event was applied.
    default void eventHandled(String event, long nanos) {}
}
