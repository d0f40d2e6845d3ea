package io.berth.api.explain;

import java.util.List;
import java.util.Optional;

/// What one node would be to a pod.
///
/// @param isLeftOut whether a PreFilter plugin named other nodes; then nobody was asked about this
///   one
/// @param filters what every filter says that has something to say about this pod, also after a no;
///   nodes that are made with the list of another one share it, and are told apart by it at once
/// @param besideNominated who would refuse the node if the pods nominated to it, as important at
///   least, were on it already; empty where nobody would, or where there are none
/// @param rating of a node that can take the pod; empty also where the search would have enough
///   nodes before it comes to this one
public record NodeExplanation(
        String name,
        boolean isLeftOut,
        List<FilterAnswer> filters,
        Optional<FilterAnswer> besideNominated,
        Optional<Rating> rating) {
    public NodeExplanation {
        filters = FilterAnswers.of(filters);
    }

    /// Answers that several nodes are to share, see [#filters].
    public static List<FilterAnswer> sharedFilters(List<FilterAnswer> answers) {
        return FilterAnswers.of(answers);
    }

    /// Whether the node can take the pod.
    public boolean isFeasible() {
        return !isLeftOut && besideNominated.isEmpty() && refusals().isEmpty();
    }

    /// The filters that say no.
    public List<FilterAnswer> refusals() {
        return FilterAnswers.of(filters).refusals();
    }
}
