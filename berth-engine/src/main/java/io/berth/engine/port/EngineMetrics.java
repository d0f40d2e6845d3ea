package io.berth.engine.port;

import io.berth.api.handle.OwnMetrics;
import io.berth.api.handle.SchedulerMetrics;

/// What the engine counts and times. Called on the engine thread, except where noted;
/// implementations must not block. Nothing that is decided depends on it.
public interface EngineMetrics {
    EngineMetrics NONE = new EngineMetrics() {};

    /// Work that runs beside the engine thread, as `goroutines` names it.
    String BINDING = "binding";

    String PRIORITIZING_EXTENDER = "prioritizing_extender";

    /// Whether anybody looks. While this is false the engine reads no clock for metrics.
    default boolean isOn() {
        return false;
    }

    /// What is counted about a profile; asked for when the profile is built.
    default ProfileMetrics profile(String name) {
        return ProfileMetrics.NONE;
    }

    /// What plugins count themselves.
    default SchedulerMetrics ofPlugins() {
        return SchedulerMetrics.NONE;
    }

    /// What plugins make themselves.
    default OwnMetrics ownMetrics() {
        return OwnMetrics.NONE;
    }

    /// A node was searched and chosen, or found missing (`scheduling_algorithm_duration_seconds`).
    default void algorithm(long nanos) {}

    /// A pod got its node (`pod_scheduling_attempts`, `pod_scheduling_sli_duration_seconds`).
    ///
    /// @param attempts how often it was tried
    /// @param sliNanos from its first attempt on
    /// @param wasFlushed whether it had been tried again only because it had waited for too long
    ///   (`pod_scheduled_after_flush_total`)
    default void podScheduled(int attempts, long sliNanos, boolean wasFlushed) {}

    /// The engine took a message (`berth_engine_message_duration_seconds`).
    default void messageTaken(String message, long nanos) {}

    /// An event was applied (`event_handling_duration_seconds`).
    default void eventHandled(String event, long nanos) {}

    /// A pod that had to wait for its permit was decided (`permit_wait_duration_seconds`).
    default void permitWaited(StatusCode result, long nanos) {}

    /// Work began or ended beside the engine thread (`goroutines`). From any thread.
    ///
    /// @param operation [#BINDING], [#PRIORITIZING_EXTENDER], or an extension point whose plugins
    ///   run on the workers
    default void running(String operation, int delta) {}

    /// How many pods wait where (`pending_pods`); told after each round of work.
    default void pending(int active, int backoff, int unschedulable, int gated) {}

    /// What the books hold (`cache_size`); told after each round of work.
    default void cached(int nodes, int pods, int assumedPods) {}
}
