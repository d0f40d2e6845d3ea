package io.berth.engine.port;

/// What is counted and timed about one profile. From any thread; implementations must not block.
public interface ProfileMetrics {
    ProfileMetrics NONE = new ProfileMetrics() {};

    /// An attempt ended (`schedule_attempts_total`, `scheduling_attempt_duration_seconds`).
    default void attempt(AttemptResult result, long nanos) {}

    /// All plugins of a step have run (`framework_extension_point_duration_seconds`).
    default void point(TimedPoint point, StatusCode status, long nanos) {}

    /// What is counted about a plugin at a step; asked for when the profile is built.
    default PluginMetrics plugin(String name, TimedPoint point) {
        return PluginMetrics.NONE;
    }
}
