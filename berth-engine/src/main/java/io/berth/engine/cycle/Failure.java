package io.berth.engine.cycle;

import io.berth.api.model.PodCondition;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.message.Setback;
import io.berth.engine.port.AttemptResult;
import io.berth.engine.search.Diagnosis;
import java.util.Set;

/// Why an attempt came to nothing (rule E-167).
///
/// @param isRejection a plugin said no; otherwise something broke
/// @param message what users read in the event and the condition
/// @param rejectors plugins whose events may help; none: the pod is tried again after a back-off
/// @param pending those of them that have set something in motion
record Failure(boolean isRejection, String message, Set<String> rejectors, Set<String> pending) {
    static final String NO_NODES = "no nodes available to schedule pods";

    Failure {
        rejectors = Set.copyOf(rejectors);
        pending = Set.copyOf(pending);
    }

    static Failure broken(String message) {
        return new Failure(false, message, Set.of(), Set.of());
    }

    /// A setback of the binding: the reason stays, but no event can help (E-105).
    static Failure of(Setback setback) {
        return new Failure(setback.isRejection(), setback.message(), Set.of(), Set.of());
    }

    static Failure broken(Throwable cause) {
        return broken(PluginFailure.textOf(cause));
    }

    /// Carries no rejector, so the pod retries by back-off although the reason is Unschedulable.
    static Failure noNodes() {
        return new Failure(true, NO_NODES, Set.of(), Set.of());
    }

    static Failure noFit(Diagnosis diagnosis) {
        return new Failure(
                true, diagnosis.message(), diagnosis.rejectors(), diagnosis.pendingPlugins());
    }

    /// A no about the chosen node: told as a search over that one node.
    static Failure refusedPlace(Rejection rejection) {
        return noFit(Diagnosis.ofOneNode(rejection));
    }

    String conditionReason() {
        return isRejection ? PodCondition.UNSCHEDULABLE : PodCondition.SCHEDULER_ERROR;
    }

    AttemptResult metricResult() {
        return isRejection ? AttemptResult.UNSCHEDULABLE : AttemptResult.ERROR;
    }
}
