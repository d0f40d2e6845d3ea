package io.berth.engine.port;

/// What the queue counts. Its sizes are told by the engine, see [EngineMetrics#pending].
///
/// Called on the engine thread, often: implementations must not block.
public interface QueueMetrics {
    QueueMetrics NONE = new QueueMetrics() {};

    /// The label of popped pods among the in-flight events.
    String POD_POPPED = "PodPopped";

    /// A pod entered a part of the queue (`queue_incoming_pods_total`).
    ///
    /// @param queue `active`, `backoff` or `unschedulable`
    default void incoming(String queue, String event) {}

    /// The number of pending pods that a plugin refuses changed (`unschedulable_pods`).
    default void refused(String plugin, String profile, int delta) {}

    /// The length of the list of events that pods in flight may need changed (`inflight_events`).
    default void inFlightEvents(String event, int delta) {}

    /// Whether durations are wanted. While this is false the queue does not read the clock for
    /// them.
    default boolean wantsDurations() {
        return false;
    }

    /// A hint function ran (`queueing_hint_execution_duration_seconds`).
    ///
    /// @param result `Queue`, `QueueSkip` or `Error`
    default void hint(String plugin, String event, String result, long nanos) {}

    /// A PreEnqueue plugin ran, one time in ten (`plugin_execution_duration_seconds`).
    default void preEnqueuePlugin(String plugin, StatusCode status, long nanos) {}

    /// All PreEnqueue plugins of a profile ran for one pod
    /// (`framework_extension_point_duration_seconds`).
    ///
    /// @param status of the plugin that gates the pod, success where none does
    default void preEnqueue(String profile, StatusCode status, long nanos) {}
}
