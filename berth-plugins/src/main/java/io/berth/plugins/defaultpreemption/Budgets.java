package io.berth.plugins.defaultpreemption;

import io.berth.api.handle.Lister;
import io.berth.api.handle.Listers;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Tells which pods cannot be evicted without violating a disruption budget (rule E-158).
///
/// Every budget that a pod falls under is charged, also after one of them is exhausted.
final class Budgets {
    private final Lister<PodDisruptionBudget> budgets;

    Budgets(Listers listers) {
        this.budgets = listers.of(Kind.POD_DISRUPTION_BUDGET, PodDisruptionBudget.class);
    }

    /// Goes through the pods in order, as if they were evicted one after the other.
    ///
    /// @return those whose eviction would violate a budget
    Set<Pod> violating(List<Pod> pods) {
        // Most clusters have few budgets, and this is asked for hundreds of nodes.
        Set<Pod> violating = Set.of();
        if (budgets.all().isEmpty()) {
            return violating;
        }
        var left = new IdentityHashMap<PodDisruptionBudget, Integer>(2);
        for (var pod : pods) {
            if (!pod.labels().isEmpty() && violates(pod, left)) {
                if (violating.isEmpty()) {
                    violating = Collections.newSetFromMap(new IdentityHashMap<>());
                }
                violating.add(pod);
            }
        }
        return violating;
    }

    private boolean violates(Pod pod, IdentityHashMap<PodDisruptionBudget, Integer> left) {
        boolean violates = false;
        for (var budget : budgets.in(pod.namespace())) {
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
