package io.berth.engine.port;

/// What the queue counts. Sizes of the queue are asked for with `SchedulingQueue.counts()`.
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

    /// A PreEnqueue plugin ran (`plugin_execution_duration_seconds`; upstream samples a tenth).
    ///
    /// @param status `Success`, `Error` or the code of the refusal
    default void preEnqueuePlugin(String plugin, String status, long nanos) {}

    /// All PreEnqueue plugins of a profile ran for one pod
    /// (`framework_extension_point_duration_seconds`, always with status `Success`).
    default void preEnqueue(String profile, long nanos) {}
}
