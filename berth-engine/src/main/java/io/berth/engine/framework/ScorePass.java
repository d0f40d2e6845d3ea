package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Score;
import io.berth.engine.port.Workers;
import io.berth.engine.state.ClusterState;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/// Scores the feasible nodes of one attempt (rules E-99, E-100).
///
/// Node-local scores come from the shape; the others are asked here. Buffers are kept between
/// attempts, so that nothing is allocated per node. Owned by the engine thread.
final class ScorePass {
    private final List<PreScore> preScores;
    private final List<Score> scores;
    private final long[] weights;
    private final int[] rawIndex;
    private final int[] plainIndex;
    private final ClusterState state;
    private final Workers workers;
    private final Log log;
    private long[] totals = new long[0];
    private long[] values = new long[0];

    ScorePass(
            List<PreScore> preScores,
            List<Score> scores,
            ToLongFunction<Score> weight,
            LocalPlugins local,
            SearchSurroundings around) {
        this.preScores = preScores;
        this.scores = scores;
        this.weights = scores.stream().mapToLong(weight).toArray();
        this.rawIndex =
                scores.stream()
                        .mapToInt(score ->
                                score instanceof NodeLocalScore
                                        ? local.normalised().indexOf(score)
                                        : -1)
                        .toArray();
        this.plainIndex = scores.stream().mapToInt(local.plain()::indexOf).toArray();
        this.state = around.state();
        this.workers = around.workers();
        this.log = around.log();
    }

    boolean hasScores() {
        return !scores.isEmpty();
    }

    /// Adds up the weighted scores of the nodes in `slots`; the result is valid until the next
    /// call.
    long[] run(CycleState cycle, Pod pod, ShapeResults shape, int[] slots, int count) {
        if (totals.length < count) {
            totals = new long[slots.length];
            values = new long[slots.length];
        }
        if (scores.isEmpty()) {
            Arrays.fill(totals, 0, count, 1);
            return totals;
        }
        preScore(cycle, pod, slots, count);
        gather(shape.base(), slots, count, totals);
        var lines = ScoreLines.ifWanted(log, pod, state, slots, count);
        for (int i = 0; i < scores.size(); i++) {
            var score = scores.get(i);
            boolean isInBase = plainIndex[i] >= 0;
            boolean isSilent = rawIndex[i] >= 0 && shape.isSilent(rawIndex[i]);
            if (isInBase || isSilent || cycle.skippedScores.contains(score)) {
                if (lines != null && isInBase && !cycle.skippedScores.contains(score)) {
                    shape.plain(plainIndex[i], slots, count, values);
                    lines.add(score.name(), values, weights[i]);
                }
                continue;
            }
            if (rawIndex[i] >= 0 && shape.isAllZero(rawIndex[i])) {
                // Equal raw scores stay equal, so one node stands for all.
                scoreOne(cycle, pod, shape, i, slots, 1);
                addToAll(values[0] * weights[i], count, totals);
                if (lines != null) {
                    lines.addEqual(score.name(), values[0], weights[i]);
                }
            } else {
                scoreOne(cycle, pod, shape, i, slots, count);
                addWeighted(values, weights[i], count, totals);
                if (lines != null) {
                    lines.add(score.name(), values, weights[i]);
                }
            }
        }
        if (lines != null) {
            lines.tellPlugins();
            lines.tellTotals(totals);
        }
        return totals;
    }

    private void preScore(CycleState cycle, Pod pod, int[] slots, int count) {
        var feasible = new SlotList(state, slots, count);
        for (var plugin : preScores) {
            try {
                if (!plugin.preScore(cycle, pod, feasible)) {
                    cycle.skippedScores.add(plugin);
                }
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.running(Point.PRE_SCORE, plugin.name(), broken);
            }
        }
    }

    private void scoreOne(
            CycleState cycle, Pod pod, ShapeResults shape, int index, int[] slots, int count) {
        var score = scores.get(index);
        try {
            if (rawIndex[index] >= 0) {
                gather(shape.raw(rawIndex[index]), slots, count, values);
            } else if (score instanceof ClusterScore clusterScore) {
                var scorer = clusterScore.scorer(cycle, pod, state.columns());
                for (int i = 0; i < count; i++) {
                    values[i] = scorer.score(slots[i]);
                }
            } else {
                workers.forEach(
                        count, i -> values[i] = score.score(cycle, pod, state.view(slots[i])));
            }
        } catch (RuntimeException | LinkageError broken) {
            throw PluginFailure.scoring("Score", score.name(), broken);
        }
        if (score instanceof Normalize normalize) {
            try {
                normalize.normalize(cycle, pod, new Normalize.Scores(slots, values, count));
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.scoring("Normalize on Score", score.name(), broken);
            }
        }
        for (int i = 0; i < count; i++) {
            if (values[i] < Score.MIN || values[i] > Score.MAX) {
                requireInRange(score.name(), values[i]);
            }
        }
    }

    static void requireInRange(String plugin, long score) {
        if (score < Score.MIN || score > Score.MAX) {
            throw new PluginFailure(
                    plugin,
                    ("applying score defaultWeights on Score plugins: plugin \"%s\" returns an"
                                    + " invalid score %d, it should in the range of [%d, %d] after"
                                    + " normalizing")
                            .formatted(plugin, score, Score.MIN, Score.MAX),
                    null);
        }
    }

    /// Hot: collects what a column says about some slots.
    private static void gather(long[] column, int[] slots, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = column[slots[i]];
        }
    }

    /// Hot.
    private static void addWeighted(long[] values, long weight, int count, long[] totals) {
        for (int i = 0; i < count; i++) {
            totals[i] += values[i] * weight;
        }
    }

    /// Hot.
    private static void addToAll(long amount, int count, long[] totals) {
        for (int i = 0; i < count; i++) {
            totals[i] += amount;
        }
    }

    /// The feasible nodes as a list of views, made as they are asked for.
    private static final class SlotList extends FeasibleNodes {
        private final ClusterState state;
        private final int[] slots;
        private final int count;

        SlotList(ClusterState state, int[] slots, int count) {
            this.state = state;
            this.slots = slots;
            this.count = count;
        }

        @Override
        public int slot(int index) {
            return slots[Objects.checkIndex(index, count)];
        }

        @Override
        public NodeView get(int index) {
            return state.view(slot(index));
        }

        @Override
        public int size() {
            return count;
        }
    }
}
