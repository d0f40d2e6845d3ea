package io.berth.api.verdict;

import java.util.List;

/// "Not here" or "not now": a plugin's no, with the reasons that users read in events.
public record Refusal(List<String> reasons, Remedy remedy)
        implements Verdict,
                PreFilterVerdict,
                ReserveVerdict,
                PermitVerdict,
                PreBindVerdict,
                BindVerdict {

    /// What may turn the no into a yes.
    public enum Remedy {
        /// Evicting pods may help (upstream: Unschedulable).
        PREEMPTION_MAY_HELP,
        /// No eviction helps, the cluster itself must change (UnschedulableAndUnresolvable).
        NOTHING_HELPS,
        /// The plugin is waiting for something it has set in motion; the pod is tried again at once
        /// when that has happened (Pending).
        PENDING
    }

    public Refusal {
        reasons = List.copyOf(reasons);
    }

    public static Refusal mayPreempt(String reason) {
        return new Refusal(List.of(reason), Remedy.PREEMPTION_MAY_HELP);
    }

    public static Refusal hopeless(String reason) {
        return new Refusal(List.of(reason), Remedy.NOTHING_HELPS);
    }
}
