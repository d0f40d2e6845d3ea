package io.berth.lab.explain;

import io.berth.api.amount.Amounts;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Lack;
import io.berth.lab.KnownCluster;
import io.berth.lab.explain.Groups.Member;
import io.berth.lab.explain.PodExplanation.Nearest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the node that lacks least, and who on it holds what is lacking.
final class Nearness {
    private static final int MOST_PODS = 3;

    private Nearness() {}

    static Optional<Nearest> of(Pod pod, KnownCluster cluster, Groups groups) {
        @Nullable Member nearest = null;
        for (var group : groups.members().entrySet()) {
            if (!group.getKey().isLeftOut()) {
                for (var member : group.getValue()) {
                    nearest = nearest == null || isNearer(member, nearest) ? member : nearest;
                }
            }
        }
        return Optional.ofNullable(nearest).map(node -> nearest(pod, node, cluster, groups));
    }

    private static boolean isNearer(Member one, Member other) {
        int byCount = Integer.compare(one.answers().size(), other.answers().size());
        if (byCount != 0) {
            return byCount < 0;
        }
        int byLack = Double.compare(one.shortfall(), other.shortfall());
        return byLack == 0 ? one.name().compareTo(other.name()) < 0 : byLack < 0;
    }

    private static Nearest nearest(Pod pod, Member node, KnownCluster cluster, Groups groups) {
        var answers = node.answers();
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
                holders(pod, node.name(), lacks.getFirst().resource(), cluster));
    }

    private static List<String> holders(
            Pod pod, String node, String resource, KnownCluster cluster) {
        return cluster.podsOn(node).stream()
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
