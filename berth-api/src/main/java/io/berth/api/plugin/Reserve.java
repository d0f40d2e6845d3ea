package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.ReserveVerdict;

/// Sets something aside for a pod whose node has been chosen, and gives it back if the attempt
/// fails later.
public interface Reserve extends Plugin {
    ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName);

    /// Called for every Reserve plugin when anything after the choice fails, also for those whose
    /// `reserve` was not reached: must be harmless then, and when called twice.
    void unreserve(Cycle cycle, Pod pod, String nodeName);
}
