package io.berth.lab.explain;

import io.berth.api.explain.NodeExplanation;
import io.berth.api.explain.Rating;
import io.berth.lab.explain.PodExplanation.Influence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// Which plugin decided between nodes: who would win without each plugin's score.
final class Influences {
    private Influences() {}

    /// @param rated nodes with a rating
    /// @param top how many of the best are compared
    static List<Influence> of(List<NodeExplanation> rated, String winner, int top) {
        if (rated.isEmpty()) {
            return List.of();
        }
        var best = best(rated, "", top);
        var influences = new ArrayList<Influence>();
        for (var score : rating(rated.getFirst()).scores()) {
            var others = best(rated, score.plugin(), top);
            var common = new HashSet<>(others);
            common.retainAll(best);
            boolean stays =
                    total(rated, winner, score.plugin()) >= totalOfBest(rated, score.plugin());
            influences.add(
                    new Influence(
                            score.plugin(),
                            stays ? winner : others.getFirst(),
                            !stays,
                            100 * common.size() / best.size()));
        }
        return influences;
    }

    private static List<String> best(List<NodeExplanation> rated, String without, int top) {
        return rated.stream()
                .sorted(Comparator.comparingLong(node -> -total(node, without)))
                .limit(top)
                .map(NodeExplanation::name)
                .toList();
    }

    private static long totalOfBest(List<NodeExplanation> rated, String without) {
        return rated.stream().mapToLong(node -> total(node, without)).max().orElse(0);
    }

    private static long total(List<NodeExplanation> rated, String name, String without) {
        return rated.stream()
                .filter(node -> node.name().equals(name))
                .mapToLong(node -> total(node, without))
                .findFirst()
                .orElse(Long.MIN_VALUE);
    }

    private static long total(NodeExplanation node, String without) {
        var rating = rating(node);
        return rating.scores().stream()
                .filter(score -> !score.plugin().equals(without))
                .mapToLong(score -> score.weighted())
                .sum();
    }

    private static Rating rating(NodeExplanation node) {
        return node.rating().orElseThrow();
    }
}
