package io.berth.lab.explain;

import io.berth.api.explain.NodeExplanation;
import io.berth.api.explain.ScoreAnswer;
import io.berth.lab.explain.PodExplanation.Influence;
import java.util.ArrayList;
import java.util.Arrays;
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
        var scores = new ArrayList<List<ScoreAnswer>>(rated.size());
        rated.forEach(node -> scores.add(node.rating().orElseThrow().scores()));
        var totals = new long[rated.size()];
        for (int i = 0; i < totals.length; i++) {
            totals[i] = scores.get(i).stream().mapToLong(ScoreAnswer::weighted).sum();
        }
        int place = placeOf(winner, rated);
        var best = best(totals, top);
        var influences = new ArrayList<Influence>();
        for (var score : scores.getFirst()) {
            var without = without(score.plugin(), scores, totals);
            var others = best(without, top);
            boolean stays = place >= 0 && without[place] >= without[others[0]];
            influences.add(
                    new Influence(
                            score.plugin(),
                            stays ? winner : rated.get(others[0]).name(),
                            !stays,
                            100 * common(best, others) / best.length));
        }
        return influences;
    }

    private static int placeOf(String name, List<NodeExplanation> rated) {
        for (int i = 0; i < rated.size(); i++) {
            if (rated.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private static long[] without(String plugin, List<List<ScoreAnswer>> scores, long[] totals) {
        var left = totals.clone();
        for (int i = 0; i < left.length; i++) {
            for (var score : scores.get(i)) {
                if (score.plugin().equals(plugin)) {
                    left[i] -= score.weighted();
                }
            }
        }
        return left;
    }

    /// The places of the highest totals, the first of equal ones first.
    private static int[] best(long[] totals, int most) {
        var best = new int[Math.min(most, totals.length)];
        int count = 0;
        for (int i = 0; i < totals.length; i++) {
            int at = count;
            while (at > 0 && totals[i] > totals[best[at - 1]]) {
                at--;
            }
            if (at < best.length) {
                count = Math.min(count + 1, best.length);
                System.arraycopy(best, at, best, at + 1, count - at - 1);
                best[at] = i;
            }
        }
        return best;
    }

    private static int common(int[] one, int[] other) {
        return (int)
                Arrays.stream(one)
                        .filter(place -> Arrays.stream(other).anyMatch(each -> each == place))
                        .count();
    }
}
