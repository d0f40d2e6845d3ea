package io.berth.engine.port;

import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.Refusal;

/// What became of a plugin or of an extension point, as metrics name it (rule E-123). Inside the
/// engine each point has verdicts of its own; these are their common names.
public enum StatusCode {
    SUCCESS("Success"),
    ERROR("Error"),
    UNSCHEDULABLE("Unschedulable"),
    UNSCHEDULABLE_AND_UNRESOLVABLE("UnschedulableAndUnresolvable"),
    WAIT("Wait"),
    SKIP("Skip"),
    PENDING("Pending");

    private final String text;

    StatusCode(String text) {
        this.text = text;
    }

    public static StatusCode of(Refusal refusal) {
        return switch (refusal.remedy()) {
            case PREEMPTION_MAY_HELP -> UNSCHEDULABLE;
            case NOTHING_HELPS -> UNSCHEDULABLE_AND_UNRESOLVABLE;
            case PENDING -> PENDING;
        };
    }

    /// A verdict that is either a refusal or some form of yes.
    public static StatusCode ofVerdict(Object verdict) {
        return switch (verdict) {
            case Refusal refusal -> of(refusal);
            case PreBindVerdict.Wrote wrote when wrote.problem() != null -> ERROR;
            default -> SUCCESS;
        };
    }

    /// The name in metrics.
    public String text() {
        return text;
    }

    /// Whether a plugin said no, rather than yes, later, or something broke.
    public boolean isRejection() {
        return this == UNSCHEDULABLE || this == UNSCHEDULABLE_AND_UNRESOLVABLE || this == PENDING;
    }
}
