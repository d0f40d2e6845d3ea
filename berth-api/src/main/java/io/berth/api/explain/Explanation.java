package io.berth.api.explain;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What every node would be to a pod if it were tried now, and which one it would go to.
///
/// @param pod `namespace/name`
/// @param profile whose plugins were asked
/// @param preFilters what was said before any node was looked at, in the order of asking. A refusal
///   that nothing helps against ends it, also where the plugins leave no node together.
/// @param nodes every node, in the order in which a search would visit them now. None where a
///   PreFilter plugin refuses the pod as a whole.
/// @param silentExtenders services outside that would have a say and were not asked, since asking
///   them may change something; where there are any, the choice is without their word
/// @param choice empty where no node can take the pod
public record Explanation(
        String pod,
        String profile,
        List<PreFilterAnswer> preFilters,
        List<NodeExplanation> nodes,
        List<String> silentExtenders,
        Optional<Choice> choice) {
    public Explanation {
        preFilters = List.copyOf(preFilters);
        nodes = List.copyOf(nodes);
        silentExtenders = List.copyOf(silentExtenders);
    }

    public Optional<NodeExplanation> node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
    }

    /// The nodes that can take the pod.
    public List<NodeExplanation> feasible() {
        return nodes.stream().filter(NodeExplanation::isFeasible).toList();
    }

    /// By name of each node that was scored: its total.
    public Map<String, Long> totals() {
        var totals = new HashMap<String, Long>();
        nodes.forEach(node -> node.rating().ifPresent(r -> totals.put(node.name(), r.total())));
        return totals;
    }

    /// By name of each node that was looked at and cannot take the pod: who refuses it first, with
    /// the pods nominated to it on it where there are any.
    public Map<String, FilterAnswer> refusals() {
        var refusals = new HashMap<String, FilterAnswer>();
        for (var node : nodes) {
            node.besideNominated()
                    .or(() -> node.refusals().stream().findFirst())
                    .ifPresent(refusal -> refusals.put(node.name(), refusal));
        }
        return refusals;
    }
}
