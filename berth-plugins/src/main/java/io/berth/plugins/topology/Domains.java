package io.berth.plugins.topology;

import io.berth.api.model.Node;
import io.berth.api.spec.Toleration;
import io.berth.plugins.nodeaffinity.RequiredNodes;
import io.berth.plugins.tainttoleration.TaintVerdicts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A way to divide nodes into domains: by the value of a label, leaving some nodes out.
///
/// @param requiredKeys nodes that lack one of these labels are left out
/// @param nodes other nodes than these are left out
/// @param tolerations nodes with taints that these do not tolerate are left out; null leaves none
///   out
public record Domains(
        String topologyKey,
        List<String> requiredKeys,
        RequiredNodes nodes,
        @Nullable List<Toleration> tolerations) {
    public Domains {
        requiredKeys = List.copyOf(requiredKeys);
    }

    /// All nodes that have the label.
    public static Domains by(String topologyKey) {
        return new Domains(topologyKey, List.of(topologyKey), RequiredNodes.ANY, null);
    }

    public boolean includes(Node node) {
        for (var key : requiredKeys) {
            if (!node.labels().has(key)) {
                return false;
            }
        }
        return nodes.matches(node)
                && (tolerations == null || !TaintVerdicts.repels(node.taints(), tolerations));
    }
}
