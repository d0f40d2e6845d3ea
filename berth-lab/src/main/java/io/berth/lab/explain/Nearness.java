package io.berth.lab.explain;

import io.berth.api.amount.Amounts;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Lack;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.PodExplanation.Nearest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finds the node that lacks least, and who on it holds what is lacking.
final class Nearness {
    private static final int MOST_PODS = 3;

    private Nearness() {}

    static Optional<Nearest> of(
            Pod pod, Explanation explanation, ClusterImage image, Groups groups) {
        return explanation.nodes().stream()
                .filter(node -> !node.isLeftOut() && !node.isFeasible())
                .min(
                        Comparator.comparingInt(
                                        (NodeExplanation node) -> groups.answers(node).size())
                                .thenComparingDouble(Groups::shortfall)
                                .thenComparing(NodeExplanation::name))
                .map(node -> nearest(pod, node, image, groups));
    }

    private static Nearest nearest(
            Pod pod, NodeExplanation node, ClusterImage image, Groups groups) {
        var answers = groups.answers(node);
        var lacks = answers.size() == 1 ? answers.getFirst().lacks() : List.<Lack>of();
        if (lacks.isEmpty()) {
            var text =
                    answers.stream()
                            .map(answer -> groups.detail(answer, node.name()))
                            .collect(Collectors.joining("; "));
            return new Nearest(node.name(), text, List.of(), List.of());
        }
        return new Nearest(
                node.name(),
                "lacks " + lacks.stream().map(Details::missing).collect(Collectors.joining(", ")),
                lacks,
                holders(pod, node.name(), lacks.getFirst().resource(), image));
    }

    private static List<String> holders(Pod pod, String node, String resource, ClusterImage image) {
        return image.pods().stream()
                .filter(other -> other.nodeName().equals(node) && !other.isTerminal())
                .filter(other -> held(other, resource) > 0)
                .sorted(
                        Comparator.comparingInt((Pod other) ->
                                        other.spec().priority() < pod.spec().priority() ? 0 : 1)
                                .thenComparingLong(other -> -held(other, resource)))
                .limit(MOST_PODS)
                .map(other ->
                        "%s (%s %s, priority %d)"
                                .formatted(
                                        other.key(),
                                        Amounts.rough(resource, held(other, resource)),
                                        resource,
                                        other.spec().priority()))
                .toList();
    }

    private static long held(Pod pod, String resource) {
        return pod.requests().exact().amount(resource);
    }
}
