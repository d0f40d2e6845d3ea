package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Pass;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreFilterVerdict;
import io.berth.api.plugin.PreFilterVerdict.OnlyNodes;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.Skip;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.queue.HintMap;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The search for a node in one profile: preFilter, filter, preScore, score, choose (rules E-84 to
/// E-102). Owned by the engine thread.
final class NodeSearch {
    private final List<PreFilter> preFilters;
    private final List<Filter> filters;
    private final ClusterState state;
    private final ShapeTable shapes;
    private final LocalPlugins local;
    private final NominatedPods nominated;
    private final FilterPass filterPass;
    private final ScorePass scorePass;
    private final Rotation rotation;
    private final Extenders extenders;
    private final OptionalInt percentage;
    private final boolean isColumnar;
    private final Log log;
    private final Meter meter;
    private final PluginMetrics[] preFilterMetrics;
    private final PluginMetrics[] filterMetrics;
    private final PluginTimes pluginTimes;

    /// When the filtering of the attempt under way began, untimed while there is none.
    private long filterBegin = Meter.UNTIMED;

    private long preFilterEnd = Meter.UNTIMED;

    NodeSearch(PluginLists lists, OptionalInt percentage, SearchSurroundings around, Meter meter) {
        this.meter = meter;
        this.preFilters = lists.at(Point.PRE_FILTER, PreFilter.class);
        this.filters = lists.at(Point.FILTER, Filter.class);
        this.state = around.state();
        this.percentage = percentage;
        this.rotation = around.rotation();
        this.extenders = around.extenders();
        this.log = around.log();
        var scores = lists.at(Point.SCORE, Score.class);
        ToLongFunction<Score> weight = score -> lists.weight(score.name());
        this.local = LocalPlugins.of(filters, scores, weight);
        this.shapes = new ShapeTable(local);
        this.preFilterMetrics = meter.plugins(preFilters, TimedPoint.PRE_FILTER);
        this.filterMetrics = meter.plugins(filters, TimedPoint.FILTER);
        this.pluginTimes = new PluginTimes(filters, filterMetrics, state, meter);
        this.nominated =
                new NominatedPods(preFilters, filters, around.state(), around.nominations(), meter);
        this.filterPass =
                new FilterPass(filters, state, nominated, around.workers(), filterMetrics, meter);
        this.scorePass =
                new ScorePass(
                        lists.at(Point.PRE_SCORE, PreScore.class),
                        scores,
                        weight,
                        local,
                        around,
                        meter);
        this.isColumnar =
                filterPass.isColumnar()
                        && scores.stream()
                                .allMatch(s ->
                                        s instanceof NodeLocalScore || s instanceof ClusterScore);
    }

    Placement run(CycleState cycle, Pod pod) {
        state.refresh();
        int nodeCount = state.orderCount();
        if (nodeCount == 0) {
            return new Placement.NoNodes();
        }
        var diagnosis = new Diagnosis(nodeCount);
        var narrowed = timedPreFilter(cycle, pod, diagnosis);
        if (narrowed == null) {
            return new Placement.NoFit(diagnosis);
        }
        filterBegin = preFilterEnd;
        try {
            return search(cycle, pod, narrowed, diagnosis);
        } finally {
            // Where the filtering came to its end, this was told already.
            filterEnded(StatusCode.ERROR);
        }
    }

    private Placement search(CycleState cycle, Pod pod, Narrowed narrowed, Diagnosis diagnosis) {
        var shape = shapeFor(pod, narrowed);
        nominated.begin(cycle, pod, shape);
        var judges = new Judges(filters, shape, cycle, pod, state);
        var expected = expectedNode(pod, judges, diagnosis);
        if (expected != null) {
            filtered(cycle, 1);
            return new Placement.Found(expected, diagnosis.explicitCount() + 1, 1);
        }
        return walk(cycle, pod, shape, judges, narrowed, diagnosis);
    }

    private void filtered(CycleState cycle, int nodeCount) {
        filterEnded(StatusCode.SUCCESS);
        if (!meter.isOn() || nodeCount == 0) {
            return;
        }
        for (int i = 0; i < filterMetrics.length; i++) {
            if (!cycle.skippedFilters.contains(filters.get(i))) {
                filterMetrics[i].evaluated(nodeCount);
            }
        }
    }

    private void filterEnded(StatusCode status) {
        meter.end(TimedPoint.FILTER, status, filterBegin);
        filterBegin = Meter.UNTIMED;
    }

    private @Nullable Narrowed timedPreFilter(CycleState cycle, Pod pod, Diagnosis diagnosis) {
        long begin = meter.begin();
        var status = StatusCode.ERROR;
        try {
            var narrowed = preFilter(cycle, pod, diagnosis);
            status = narrowed == null ? diagnosis.preFilterCode() : StatusCode.SUCCESS;
            return narrowed;
        } finally {
            preFilterEnd = meter.end(TimedPoint.PRE_FILTER, status, begin);
        }
    }

    /// The nodes that may be looked at.
    ///
    /// @param plugins those that narrowed the choice; empty where all nodes may be looked at
    private record Narrowed(int[] slots, int count, Set<String> plugins) {
        boolean isSubset() {
            return !plugins.isEmpty();
        }
    }

    /// Runs the PreFilter plugins (E-86, E-87); null where they refuse the pod as a whole.
    private @Nullable Narrowed preFilter(CycleState cycle, Pod pod, Diagnosis diagnosis) {
        @Nullable Set<String> names = null;
        var narrowing = new TreeSet<String>();
        @Nullable Rejection rejection = null;
        for (int i = 0; i < preFilters.size(); i++) {
            var plugin = preFilters.get(i);
            var verdict = askPreFilter(i, cycle, pod);
            switch (verdict) {
                case Pass _ -> {}
                case Skip _ -> cycle.skippedFilters.add(plugin);
                case Refusal refusal -> {
                    rejection = new Rejection(plugin.name(), refusal);
                    if (refusal.remedy() == Refusal.Remedy.PENDING) {
                        // No plugin may keep a pod pending before nodes are looked at (E-86).
                        throw new PluginFailure(
                                plugin.name(),
                                "running PreFilter plugin \"%s\": %s"
                                        .formatted(plugin.name(), rejection.message()),
                                null);
                    }
                }
                case OnlyNodes only -> {
                    narrowing.add(plugin.name());
                    if (names == null) {
                        names = new LinkedHashSet<>(only.names());
                    } else {
                        names.retainAll(only.names());
                    }
                    if (names.isEmpty()) {
                        rejection = new Rejection("", Refusal.hopeless(unsatisfied(narrowing)));
                    }
                }
            }
            if (rejection != null && rejection.refusal().remedy() == Refusal.Remedy.NOTHING_HELPS) {
                break;
            }
        }
        if (rejection != null) {
            diagnosis.addOthers(rejection.refusal(), state.nodes().all());
            diagnosis.preFilterMessage(rejection.message());
            diagnosis.addRejector(rejection);
            narrowing.forEach(diagnosis::addRejector);
            return null;
        }
        if (names == null) {
            return new Narrowed(state.order(), state.orderCount(), Set.of());
        }
        return subset(names, narrowing, diagnosis);
    }

    private PreFilterVerdict askPreFilter(int index, CycleState cycle, Pod pod) {
        var plugin = preFilters.get(index);
        long begin = meter.beginPlugin(cycle);
        var status = StatusCode.ERROR;
        try {
            var verdict = plugin.preFilter(cycle, pod);
            if (verdict instanceof Skip) {
                status = StatusCode.SKIP;
            } else {
                status = StatusCode.ofVerdict(verdict);
                if (cycle.isCounted()) {
                    preFilterMetrics[index].evaluated(1);
                }
            }
            return verdict;
        } catch (RuntimeException | LinkageError broken) {
            throw PluginFailure.running(Point.PRE_FILTER, plugin.name(), broken);
        } finally {
            meter.endPlugin(preFilterMetrics[index], status, begin);
        }
    }

    private static String unsatisfied(Set<String> plugins) {
        return plugins.size() == 1
                ? "node(s) didn't satisfy plugin " + plugins.iterator().next()
                : "node(s) didn't satisfy plugin(s) "
                        + "["
                        + String.join(" ", plugins)
                        + "] simultaneously";
    }

    /// Existing nodes among the named ones, in list order (E-90).
    private Narrowed subset(Set<String> names, Set<String> plugins, Diagnosis diagnosis) {
        var slots = new ArrayList<Integer>();
        for (var name : names) {
            var node = state.nodes().byName(name);
            if (node != null) {
                slots.add(node.slot());
            }
        }
        slots.sort((a, b) -> Integer.compare(state.orderOf(a), state.orderOf(b)));
        diagnosis.addOthers(
                Refusal.hopeless(
                        "node(s) didn't satisfy plugin(s) [" + String.join(" ", plugins) + "]"),
                List.of());
        plugins.forEach(diagnosis::addRejector);
        return new Narrowed(
                slots.stream().mapToInt(Integer::intValue).toArray(), slots.size(), plugins);
    }

    /// Kept results where all nodes are judged. A pod that may go to one node only (a daemon's) has
    /// a spec of its own, which is not worth keeping, and there is nothing to choose by scores.
    private ShapeResults shapeFor(Pod pod, Narrowed narrowed) {
        if (narrowed.isSubset() && narrowed.count() <= 1) {
            var shape = new ShapeResults(pod.spec(), local);
            shape.prepareFilters(state);
            return shape;
        }
        return shapes.of(pod.spec(), state);
    }

    /// The node that the pod is nominated to, if it can take the pod: then no other is looked at
    /// (E-88). A failure of it is noted and counts once (E-89).
    private @Nullable NodeView expectedNode(Pod pod, Judges judges, Diagnosis diagnosis) {
        if (pod.nominatedNodeName().isEmpty()) {
            return null;
        }
        var node = state.nodes().byName(pod.nominatedNodeName());
        if (node == null) {
            log.error(
                    null,
                    "Evaluation failed on nominated node",
                    "pod",
                    pod.key(),
                    "node",
                    pod.nominatedNodeName());
            return null;
        }
        try {
            var rejection = filterPass.judgeOne(judges, pod, node);
            if (rejection != null) {
                diagnosis.add(node, rejection);
                return null;
            }
            var left = extenders.filter(pod, new int[] {node.slot()}, 1);
            if (left.count() > 0) {
                return node;
            }
            left.refused().forEach(diagnosis::addAgain);
        } catch (PluginFailure broken) {
            log.error(
                    broken,
                    "Evaluation failed on nominated node",
                    "pod",
                    pod.key(),
                    "node",
                    node.name());
        }
        return null;
    }

    private Placement walk(
            CycleState cycle,
            Pod pod,
            ShapeResults shape,
            Judges judges,
            Narrowed narrowed,
            Diagnosis diagnosis) {
        int count = narrowed.count();
        if (narrowed.isSubset() && count <= 1) {
            return walkOne(cycle, pod, judges, narrowed, diagnosis);
        }
        int start = rotation.startIn(count);
        try {
            filterPass.run(judges, shape, narrowed.slots(), count, start, quota(pod, count));
        } finally {
            // Also after a failure, as upstream has it: what was judged has had its turn.
            rotation.advance(
                    filterPass.processed() + judgedBefore(pod, narrowed, start, diagnosis),
                    state.orderCount());
        }
        filtered(cycle, filterPass.processed());
        if (cycle.isSampled()) {
            pluginTimes.measure(cycle, judges, shape, filterPass);
        }
        int passed = filterPass.feasibleCount();
        var left = extenders.filter(pod, filterPass.feasible(), passed);
        if (left.count() == 0) {
            filterPass.explain(judges, narrowed.slots(), count, start, diagnosis);
            noteExtenders(left, passed, diagnosis);
            return new Placement.NoFit(diagnosis);
        }
        // Nodes that an extender dropped without a word were not evaluated, as upstream counts.
        int evaluated = filterPass.processed() - passed + left.count() + left.refused().size();
        if (left.count() == 1) {
            return new Placement.Found(state.view(left.slots()[0]), evaluated, 1);
        }
        int best = choose(cycle, pod, shape, left);
        return new Placement.Found(state.view(left.slots()[best]), evaluated, left.count());
    }

    /// The index of the best of the nodes that are left.
    private int choose(CycleState cycle, Pod pod, ShapeResults shape, Extenders.Left left) {
        long[] totals = scorePass.run(cycle, pod, shape, left.slots(), left.count());
        long[] keys = extendersScore(pod, left, totals);
        ScoreLines.tellTotals(log, pod, state, left.slots(), left.count(), totals);
        return keys == null
                ? HostChoice.best(totals, left.count())
                : HostChoice.best(totals, keys, left.count());
    }

    private long @Nullable [] extendersScore(Pod pod, Extenders.Left left, long[] totals) {
        if (extenders.isEmpty()) {
            return null;
        }
        meter.running(EngineMetrics.PRIORITIZING_EXTENDER, 1);
        try {
            return extenders.score(pod, left.slots(), left.count(), totals);
        } finally {
            meter.running(EngineMetrics.PRIORITIZING_EXTENDER, -1);
        }
    }

    /// Extenders do not say what would help, so where they took nodes away any event may (E-98).
    private static void noteExtenders(Extenders.Left left, int before, Diagnosis diagnosis) {
        left.refused().forEach(diagnosis::addAgain);
        if (left.count() != before) {
            diagnosis.addRejector(HintMap.EXTENDER);
        }
    }

    /// 1 where the nominated node was refused beforehand and the walk did not come to it: it counts
    /// all the same, once (E-89). Twice only where an extender refused it, whom the walk does not
    /// ask.
    private int judgedBefore(Pod pod, Narrowed narrowed, int start, Diagnosis diagnosis) {
        if (diagnosis.explicitCount() == 0) {
            return 0;
        }
        for (int i = 0; i < filterPass.processed(); i++) {
            int slot = narrowed.slots()[(start + i) % narrowed.count()];
            if (state.view(slot).name().equals(pod.nominatedNodeName())) {
                return filterPass.isFeasible(slot) ? 1 : 0;
            }
        }
        return 1;
    }

    private Placement walkOne(
            CycleState cycle, Pod pod, Judges judges, Narrowed narrowed, Diagnosis diagnosis) {
        int before = diagnosis.explicitCount();
        if (narrowed.count() == 0) {
            filtered(cycle, 0);
            rotation.advance(before, state.orderCount());
        } else {
            var node = state.view(narrowed.slots()[0]);
            var rejection = filterPass.judgeOne(judges, pod, node);
            filtered(cycle, 1);
            boolean isNotedAgain = rejection != null && diagnosis.of(node.name()) != null;
            rotation.advance(isNotedAgain ? 1 : 1 + before, state.orderCount());
            if (rejection == null) {
                var left = extenders.filter(pod, narrowed.slots(), 1);
                if (left.count() > 0) {
                    return new Placement.Found(node, 1, 1);
                }
                noteExtenders(left, 1, diagnosis);
            } else {
                diagnosis.addAgain(node, rejection);
            }
        }
        return new Placement.NoFit(diagnosis);
    }

    /// All nodes are judged while that is cheap; otherwise, or where asked for, as many as upstream
    /// would. It is not cheap where the nodes are sent to an extender.
    private int quota(Pod pod, int count) {
        if (!scorePass.hasScores() && !extenders.judgeNodes()) {
            return 1;
        }
        if (percentage.isEmpty()) {
            return isColumnar && !extenders.judgeNodesFor(pod) ? count : Quota.of(count, 0);
        }
        return Quota.of(count, percentage.getAsInt());
    }

    /// Looks at all nodes as [#run] does, kept results included, but chooses none, asks no extender
    /// and leaves the rotation alone.
    Evaluation evaluate(Pod pod) {
        state.refresh();
        var cycle = new CycleState();
        var totals = new HashMap<String, Long>();
        var refusals = new HashMap<String, String>();
        var narrowed = preFilter(cycle, pod, new Diagnosis(state.orderCount()));
        if (narrowed == null || narrowed.count() == 0) {
            return new Evaluation(totals, refusals);
        }
        var shape = shapes.of(pod.spec(), state);
        nominated.begin(cycle, pod, shape);
        var judges = new Judges(filters, shape, cycle, pod, state);
        int count = narrowed.count();
        filterPass.run(judges, shape, narrowed.slots(), count, 0, count);
        int feasible = filterPass.feasibleCount();
        int[] slots = java.util.Arrays.copyOf(filterPass.feasible(), feasible);
        if (feasible > 0) {
            long[] scores = scorePass.run(cycle, pod, shape, slots, feasible);
            for (int i = 0; i < feasible; i++) {
                totals.put(state.view(slots[i]).name(), scores[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            var node = state.view(narrowed.slots()[i]);
            var rejection =
                    totals.containsKey(node.name()) ? null : filterPass.judgeOne(judges, pod, node);
            if (rejection != null) {
                refusals.put(node.name(), rejection.plugin() + ": " + rejection.message());
            }
        }
        return new Evaluation(totals, refusals);
    }

    ScratchRun dryRun(CycleState cycle, Pod pod) {
        return new ScratchRun(filters, shapes.of(pod.spec(), state), nominated, cycle, pod, state);
    }

    /// The two-pass question about one node, real or scratch, with any cycle's notes: for
    /// preemption.
    @Nullable Rejection judge(CycleState cycle, Pod pod, NodeView node) {
        var shape = shapes.of(pod.spec(), state);
        var rejection = nominated.judge(cycle, pod, shape, node);
        return rejection != null
                ? rejection
                : new Judges(filters, shape, cycle, pod, state).firstRejection(node);
    }
}
