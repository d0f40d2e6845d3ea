package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Score;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.port.Workers;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Scores the feasible nodes of one attempt (rules E-99, E-100).
///
/// Node-local scores come from the shape; the others are asked here. Buffers are kept between
/// attempts, so that nothing is allocated per node. Owned by the engine thread.
final class ScorePass {
    private final List<Seat<PreScore>> preScores;
    private final List<Seat<Score>> scores;
    private final List<Seat<Score>> normalizing;
    private final long[] weights;
    private final int[] rawIndex;
    private final int[] plainIndex;
    private final ClusterState state;
    private final Workers workers;
    private final Meter meter;
    private long[] totals = new long[0];
    private long[] values = new long[0];

    /// One slot for each open group.
    private int[] samples = new int[0];

    ScorePass(
            List<PreScore> preScores,
            List<Score> scores,
            ToLongFunction<Score> weight,
            LocalPlugins local,
            SearchContext context,
            Meter meter) {
        this.preScores = meter.seats(preScores, TimedPoint.PRE_SCORE, Point.PRE_SCORE);
        this.scores =
                meter.seats(
                        scores,
                        TimedPoint.SCORE,
                        (plugin, cause) -> PluginFailure.scoring("Score", plugin, cause));
        this.normalizing =
                meter.seats(
                        scores,
                        TimedPoint.NORMALIZE,
                        (plugin, cause) ->
                                PluginFailure.scoring("Normalize on Score", plugin, cause));
        this.weights = scores.stream().mapToLong(weight).toArray();
        this.rawIndex =
                scores.stream()
                        .mapToInt(score ->
                                score instanceof NodeLocalScore
                                        ? local.normalised().indexOf(score)
                                        : -1)
                        .toArray();
        this.plainIndex = scores.stream().mapToInt(local.plain()::indexOf).toArray();
        this.state = context.state();
        this.workers = context.workers();
        this.meter = meter;
    }

    boolean hasScores() {
        return !scores.isEmpty();
    }

    /// Adds up the weighted scores of the nodes in `slots`; the result is valid until the next
    /// call.
    ///
    /// @param notes where single scores go; null where nobody wants them
    long[] run(
            CycleState cycle,
            Pod pod,
            ShapeResults shape,
            int[] slots,
            int count,
            @Nullable ScoreNotes notes) {
        reserve(slots);
        if (scores.isEmpty()) {
            Arrays.fill(totals, 0, count, 1);
            return totals;
        }
        long begin = preScore(cycle, pod, new ListedNodes(state, slots, count));
        score(cycle, pod, shape, slots, count, count, notes, begin);
        return totals;
    }

    /// The same for the nodes of open groups: as long as nothing but the base tells nodes of one
    /// group apart, one of each is scored. There must be several feasible nodes, and scores.
    ///
    /// @return whether [#totals] are those of one node for each open group, and not of all feasible
    ///   nodes
    boolean runKept(
            CycleState cycle, Pod pod, ShapeResults shape, FilterPass nodes, BestNodes best) {
        int count = nodes.feasibleCount();
        samples = samplesOf(best);
        long begin = preScore(cycle, pod, new GroupedNodes(state, nodes, best, samples));
        boolean isEnough = areAlike(cycle, pod, shape, best);
        int[] slots = isEnough ? samples : nodes.feasible();
        reserve(slots);
        score(cycle, pod, shape, slots, isEnough ? samples.length : count, count, null, begin);
        return isEnough;
    }

    /// The totals that the last run has added up.
    long[] totals() {
        return totals;
    }

    /// What the nodes of each open group have on top of their base, after [#runKept].
    long[] extras(ShapeResults shape) {
        var extras = new long[samples.length];
        for (int i = 0; i < extras.length; i++) {
            extras[i] = totals[i] - shape.base()[samples[i]];
        }
        return extras;
    }

    private static int[] samplesOf(BestNodes best) {
        var samples = new int[best.openCount()];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = best.sample(best.openGroup(i));
        }
        return samples;
    }

    private void reserve(int[] slots) {
        if (totals.length < slots.length) {
            totals = new long[slots.length];
            values = new long[slots.length];
        }
    }

    /// Whether all nodes of one group get the same on top of what is kept. Where they do not, but
    /// would in other groups, those will be kept from now on.
    private boolean areAlike(CycleState cycle, Pod pod, ShapeResults shape, BestNodes best) {
        List<SlotTrait> missing = List.of();
        for (int i = 0; i < scores.size(); i++) {
            if (!isSettled(cycle, shape, i) && !isAllZero(cycle, pod, shape, i)) {
                var traits = traits(cycle, pod, i);
                if (traits == null) {
                    shape.bestNodesDidNotHelp();
                    return false;
                }
                if (!best.know(traits)) {
                    missing = new ArrayList<>(missing);
                    missing.addAll(traits);
                }
            }
        }
        shape.groupBy(missing);
        return missing.isEmpty();
    }

    /// What a score goes by; null where it goes by more, or breaks, which is heard when it is
    /// asked.
    private @Nullable List<SlotTrait> traits(CycleState cycle, Pod pod, int index) {
        if (!(scores.get(index).plugin() instanceof ClusterScore score)) {
            return null;
        }
        try {
            return score.scorer(cycle, pod, state.columns()).traits();
        } catch (Throwable broken) {
            return null;
        }
    }

    /// Whether a plugin's scores are in the base, or it has none.
    private boolean isSettled(CycleState cycle, ShapeResults shape, int index) {
        return plainIndex[index] >= 0
                || rawIndex[index] >= 0 && shape.isSilent(rawIndex[index])
                || cycle.skippedScores().contains(scores.get(index).plugin());
    }

    private void score(
            CycleState cycle,
            Pod pod,
            ShapeResults shape,
            int[] slots,
            int count,
            int feasible,
            @Nullable ScoreNotes notes,
            long begin) {
        var status = StatusCode.ERROR;
        try {
            addUp(cycle, pod, shape, slots, count, feasible, notes);
            status = StatusCode.SUCCESS;
        } finally {
            meter.end(TimedPoint.SCORE, status, begin);
        }
    }

    private void addUp(
            CycleState cycle,
            Pod pod,
            ShapeResults shape,
            int[] slots,
            int count,
            int feasible,
            @Nullable ScoreNotes notes) {
        gather(shape.base(), slots, count, totals);
        for (int i = 0; i < scores.size(); i++) {
            var score = scores.get(i).plugin();
            if (cycle.isCounted() && !cycle.skippedScores().contains(score)) {
                scores.get(i).metrics().evaluated(feasible);
            }
            if (isSettled(cycle, shape, i)) {
                boolean isInBase = plainIndex[i] >= 0;
                if (notes != null && isInBase && !cycle.skippedScores().contains(score)) {
                    shape.plain(plainIndex[i], slots, count, values);
                    notes.add(score.name(), weights[i], values, values);
                }
                continue;
            }
            if (isAllZero(cycle, pod, shape, i)) {
                // Equal raw scores stay equal, so one node stands for all.
                scoreOne(cycle, pod, shape, i, slots, 1, null);
                addToAll(values[0] * weights[i], count, totals);
                if (notes != null) {
                    notes.addEqual(score.name(), weights[i], 0, values[0]);
                }
            } else {
                scoreOne(cycle, pod, shape, i, slots, count, notes);
                addWeighted(values, weights[i], count, totals);
            }
        }
    }

    private boolean isAllZero(CycleState cycle, Pod pod, ShapeResults shape, int index) {
        return rawIndex[index] >= 0
                ? shape.isAllZero(rawIndex[index])
                : scores.get(index).plugin() instanceof ClusterScore score
                        && score.isZero(cycle, pod);
    }

    /// @return when it ended
    private long preScore(CycleState cycle, Pod pod, FeasibleNodes feasible) {
        long begin = cycle.isCounted() ? meter.begin() : Meter.UNTIMED;
        try {
            askPreScores(cycle, pod, feasible);
        } catch (PluginFailure broken) {
            meter.end(TimedPoint.PRE_SCORE, StatusCode.ERROR, begin);
            throw broken;
        }
        return meter.end(TimedPoint.PRE_SCORE, StatusCode.SUCCESS, begin);
    }

    private void askPreScores(CycleState cycle, Pod pod, FeasibleNodes feasible) {
        for (var seat : preScores) {
            boolean isBusy =
                    seat.ask(
                            cycle,
                            plugin -> plugin.preScore(cycle, pod, feasible),
                            busy -> busy ? StatusCode.SUCCESS : StatusCode.SKIP);
            if (!isBusy) {
                cycle.skippedScores().add(seat.plugin());
            } else if (cycle.isCounted()) {
                seat.metrics().evaluated(1);
            }
        }
    }

    private void scoreOne(
            CycleState cycle,
            Pod pod,
            ShapeResults shape,
            int index,
            int[] slots,
            int count,
            @Nullable ScoreNotes notes) {
        var seat = scores.get(index);
        seat.run(cycle, _ -> scoreRaw(cycle, pod, shape, index, slots, count));
        long[] before = notes == null ? values : Arrays.copyOf(values, count);
        if (seat.plugin() instanceof Normalize normalize) {
            var raw = new Normalize.Scores(slots, values, count);
            normalizing.get(index).run(cycle, _ -> normalize.normalize(cycle, pod, raw));
        }
        for (int i = 0; i < count; i++) {
            if (values[i] < Score.MIN || values[i] > Score.MAX) {
                requireInRange(seat.name(), values[i]);
            }
        }
        if (notes != null) {
            notes.add(seat.name(), weights[index], before, values);
        }
    }

    private void scoreRaw(
            CycleState cycle, Pod pod, ShapeResults shape, int index, int[] slots, int count) {
        var score = scores.get(index).plugin();
        if (rawIndex[index] >= 0) {
            gather(shape.raw(rawIndex[index]), slots, count, values);
        } else if (score instanceof ClusterScore clusterScore) {
            clusterScore.scorer(cycle, pod, state.columns()).scoreAll(slots, count, values);
        } else {
            scoreOnWorkers(cycle, pod, score, slots, count);
        }
    }

    private void scoreOnWorkers(CycleState cycle, Pod pod, Score score, int[] slots, int count) {
        meter.running(TimedPoint.SCORE.text(), 1);
        try {
            workers.forEach(count, i -> values[i] = score.score(cycle, pod, state.view(slots[i])));
        } finally {
            meter.running(TimedPoint.SCORE.text(), -1);
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
    private static final class ListedNodes extends FeasibleNodes {
        private final ClusterState state;
        private final int[] slots;
        private final int count;

        ListedNodes(ClusterState state, int[] slots, int count) {
            this.state = state;
            this.slots = slots;
            this.count = count;
        }

        @Override
        public int[] slots() {
            return slots;
        }

        @Override
        public NodeView get(int index) {
            return state.view(slots[Objects.checkIndex(index, count)]);
        }

        @Override
        public int size() {
            return count;
        }
    }

    /// The same for nodes in groups, of whom no list is made unless somebody reads it.
    private static final class GroupedNodes extends FeasibleNodes {
        private final ClusterState state;
        private final FilterPass nodes;
        private final BestNodes best;
        private final int[] samples;

        GroupedNodes(ClusterState state, FilterPass nodes, BestNodes best, int[] samples) {
            this.state = state;
            this.nodes = nodes;
            this.best = best;
            this.samples = samples;
        }

        @Override
        public int[] slots() {
            return nodes.feasible();
        }

        @Override
        public Sample sample(List<SlotTrait> traits) {
            if (!best.know(traits)) {
                return super.sample(traits);
            }
            var standingFor = new int[samples.length];
            for (int i = 0; i < samples.length; i++) {
                standingFor[i] = best.feasibleIn(best.openGroup(i));
            }
            return new Sample(samples, standingFor, samples.length);
        }

        @Override
        public NodeView get(int index) {
            return state.view(slots()[Objects.checkIndex(index, size())]);
        }

        @Override
        public int size() {
            return nodes.feasibleCount();
        }
    }
}
