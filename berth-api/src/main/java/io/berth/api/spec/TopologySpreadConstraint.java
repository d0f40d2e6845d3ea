package io.berth.api.spec;

import io.berth.api.label.LabelSelector;
import java.util.List;

/// How evenly matching pods are to be spread over the domains of a topology key.
///
/// @param hard `DoNotSchedule`; otherwise `ScheduleAnyway`
/// @param minDomains 1 where absent
/// @param honorsNodeAffinity whether nodes that the pod's own node affinity excludes are left out
/// @param honorsNodeTaints whether nodes with untolerated taints are left out
public record TopologySpreadConstraint(
        int maxSkew,
        String topologyKey,
        boolean hard,
        LabelSelector selector,
        int minDomains,
        boolean honorsNodeAffinity,
        boolean honorsNodeTaints,
        List<String> matchLabelKeys) {
    public TopologySpreadConstraint {
        matchLabelKeys = List.copyOf(matchLabelKeys);
    }

    public static TopologySpreadConstraint of(
            int maxSkew, String topologyKey, boolean hard, LabelSelector selector) {
        return new TopologySpreadConstraint(
                maxSkew, topologyKey, hard, selector, 1, true, false, List.of());
    }
}
