package io.berth.api.model;

import io.berth.api.label.LabelSelector;
import java.util.Set;

/// How many of some pods may be disrupted now.
///
/// @param disruptedPods names of pods whose disruption is already counted
public record PodDisruptionBudget(
        String namespace,
        String name,
        LabelSelector selector,
        int disruptionsAllowed,
        Set<String> disruptedPods)
        implements ClusterObject {
    public PodDisruptionBudget {
        disruptedPods = Set.copyOf(disruptedPods);
    }

    @Override
    public Kind kind() {
        return Kind.POD_DISRUPTION_BUDGET;
    }
}
