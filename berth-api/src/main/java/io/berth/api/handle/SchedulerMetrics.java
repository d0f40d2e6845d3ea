package io.berth.api.handle;

/// Numbers that only a plugin knows, for metrics that belong to the scheduler as a whole. A plugin
/// that takes the place of one that Berth brings along feeds the same series. From any thread.
public interface SchedulerMetrics {
    SchedulerMetrics NONE = new SchedulerMetrics() {};

    /// A preemption was tried, whatever came of it (`preemption_attempts_total`).
    default void preemptionTried() {}

    /// A preemption chose so many victims (`preemption_victims`).
    default void victimsChosen(int count) {}

    /// The victims of a preemption were evicted in the background, or that failed
    /// (`preemption_goroutines_*`).
    default void evictionEnded(boolean succeeded, long nanos) {}

    /// Something about a pod's volumes broke (`volume_scheduling_stage_error_total`).
    ///
    /// @param operation `predicate`, `assume` or `bind`
    default void volumeStageFailed(String operation) {}

    /// A resource claim for extended resources was made, or could not be
    /// (`resourceclaim_creates_total`).
    default void claimCreated(boolean succeeded) {}

    /// A pod waited for conditions of a device, or had none to wait for beside others of its own
    /// that it waited for (`dra_bindingconditions_*`).
    ///
    /// @param status `success`, `failed` or `timeout`
    /// @param hasConditions whether this device has conditions
    default void deviceAwaited(
            String profile, String driver, String status, boolean hasConditions, long millis) {}
}
