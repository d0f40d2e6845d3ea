package io.berth.plugins.defaultpreemption;

import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.plugin.Listers;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/// Tells which pods cannot be evicted without violating a disruption budget (rule E-158).
///
/// Every budget that a pod falls under is charged, also after one of them is exhausted.
final class Budgets {
    private final Listers listers;

    Budgets(Listers listers) {
        this.listers = listers;
    }

    /// Goes through the pods in order, as if they were evicted one after the other.
    ///
    /// @return those whose eviction would violate a budget, in the same order
    List<Pod> violating(List<Pod> pods) {
        var violating = new ArrayList<Pod>();
        var left = new IdentityHashMap<PodDisruptionBudget, Integer>();
        for (var pod : pods) {
            if (!pod.labels().isEmpty() && violates(pod, left)) {
                violating.add(pod);
            }
        }
        return violating;
    }

    private boolean violates(Pod pod, IdentityHashMap<PodDisruptionBudget, Integer> left) {
        boolean violates = false;
        for (var budget : listers.podDisruptionBudgets(pod.namespace())) {
            if (budget.selector().isEmpty()
                    || !budget.selector().matches(pod.labels())
                    || budget.disruptedPods().contains(pod.name())) {
                continue;
            }
            int remaining = left.getOrDefault(budget, budget.disruptionsAllowed()) - 1;
            left.put(budget, remaining);
            violates |= remaining < 0;
        }
        return violates;
    }
}
