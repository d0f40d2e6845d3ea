package io.berth.plugins.podtopologyspread;

import io.berth.api.model.Pod;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.plugins.topology.Domains;
import io.berth.plugins.topology.PodQuery;
import java.util.List;

/// The constraints that say how a pod would rather be spread.
///
/// @param tolerations those of the pod that count
/// @param requireAllKeys whether a node that lacks one of the labels is left out altogether
record SoftConstraints(
        Pod pod,
        List<TopologySpreadConstraint> all,
        List<Toleration> tolerations,
        boolean requireAllKeys) {
    TopologySpreadConstraint get(int i) {
        return all.get(i);
    }

    int count() {
        return all.size();
    }

    PodQuery query(int i) {
        return new PodQuery.Spread(pod.namespace(), all.get(i).selector());
    }

    Domains domains(int i) {
        var keys = requireAllKeys ? Constraints.keys(all) : List.<String>of();
        return Constraints.domains(all.get(i), pod, tolerations, keys);
    }
}
