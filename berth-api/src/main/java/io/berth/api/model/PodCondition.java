package io.berth.api.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A condition of a pod, as far as the scheduler writes or reads it.
///
/// @param status `True`, `False` or `Unknown`
public record PodCondition(
        String type,
        String status,
        String reason,
        String message,
        @Nullable Instant lastProbeTime,
        @Nullable Instant lastTransitionTime) {
    public static final String POD_SCHEDULED = "PodScheduled";
    public static final String DISRUPTION_TARGET = "DisruptionTarget";
    public static final String UNSCHEDULABLE = "Unschedulable";
    public static final String SCHEDULER_ERROR = "SchedulerError";

    public static PodCondition of(String type, String status, String reason, String message) {
        return new PodCondition(type, status, reason, message, null, null);
    }

    public PodCondition withMessage(String other) {
        return new PodCondition(type, status, reason, other, lastProbeTime, lastTransitionTime);
    }
}
