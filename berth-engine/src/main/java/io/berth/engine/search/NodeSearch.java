package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.explain.Choice;
import io.berth.api.explain.Choice.Reason;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.Standing;
import io.berth.api.handle.DryRun;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Score;
import io.berth.api.relax.PreemptionPreview;
import io.berth.api.relax.PreemptionPreview.Preview;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.PluginLists;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.Rejection;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.AttemptObserver;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.queue.HintMap;
import io.berth.engine.state.ClusterState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The search for a node in one profile: preFilter, filter, preScore, score, choose (rules E-84 to
/// E-102). Owned by the engine thread.
public final class NodeSearch {
    private final PreFilterPass preFilterPass;
    private final List<Seat<Filter>> filterSeats;
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
    private final PluginTimes pluginTimes;
    private final AttemptObserver observer;
    private final Explainer explainer;

    /// What nodes are refused with that these plugins did not name.
    private final Map<Set<String>, Refusal> unsatisfied = new HashMap<>();

    /// When the filtering of the attempt under way began, untimed while there is none.
    private long filterBegin = Meter.UNTIMED;

    private long preFilterEnd = Meter.UNTIMED;

    public NodeSearch(
            PluginLists lists, OptionalInt percentage, SearchContext context, Meter meter) {
        this.meter = meter;
        var preFilterPlugins = lists.at(Point.PRE_FILTER, PreFilter.class);
        this.preFilterPass =
                new PreFilterPass(
                        meter.seats(preFilterPlugins, TimedPoint.PRE_FILTER, Point.PRE_FILTER));
        this.filters = lists.at(Point.FILTER, Filter.class);
        this.state = context.state();
        this.percentage = percentage;
        this.rotation = context.rotation();
        this.extenders = context.extenders();
        this.log = context.log();
        this.observer = context.observer();
        var scores = lists.at(Point.SCORE, Score.class);
        ToLongFunction<Score> weight = score -> lists.weight(score.name());
        this.local = LocalPlugins.of(filters, scores, weight);
        this.shapes = new ShapeTable(local);
        this.filterSeats = meter.seats(filters, TimedPoint.FILTER, Judges::toldAlready);
        this.pluginTimes = new PluginTimes(filterSeats, state, meter);
        this.nominated =
                new NominatedPods(
                        preFilterPlugins, filters, context.state(), context.nominations(), meter);
        this.filterPass = new FilterPass(filterSeats, state, nominated, context.workers(), meter);
        this.scorePass =
                new ScorePass(
                        lists.at(Point.PRE_SCORE, PreScore.class),
                        scores,
                        weight,
                        local,
                        context,
                        meter);
        this.explainer =
                new Explainer(
                        preFilterPass,
                        preFilterPlugins,
                        filters,
                        scorePass,
                        local,
                        this,
                        context,
                        meter);
        this.isColumnar =
                filterPass.isColumnar()
                        && scores.stream()
                                .allMatch(s ->
                                        s instanceof NodeLocalScore || s instanceof ClusterScore);
    }

    public SearchResult run(CycleState cycle, Pod pod) {
        state.refresh();
        int nodeCount = state.orderCount();
        if (nodeCount == 0) {
            return new SearchResult.NoNodes();
        }
        var diagnosis = new Diagnosis(nodeCount);
        var narrowed = timedPreFilter(cycle, pod, diagnosis);
        if (narrowed == null) {
            return new SearchResult.NoFit(diagnosis);
        }
        filterBegin = preFilterEnd;
        try {
            return search(cycle, pod, narrowed, diagnosis);
        } finally {
            // Where the filtering came to its end, this was told already.
            filterEnded(StatusCode.ERROR);
        }
    }

    private SearchResult search(CycleState cycle, Pod pod, Narrowed narrowed, Diagnosis diagnosis) {
        var shape = shapeFor(pod, narrowed);
        nominated.begin(cycle, pod, shape);
        var judges = new Judges(filters, shape, cycle, pod, state);
        var expected = expectedNode(pod, judges, diagnosis);
        if (expected != null) {
            filtered(cycle, 1);
            return new SearchResult.Found(
                    expected,
                    diagnosis.explicitCount() + 1,
                    1,
                    () -> Choice.unscored(expected.name(), Reason.NOMINATED));
        }
        return walk(cycle, pod, shape, judges, narrowed, diagnosis);
    }

    private void filtered(CycleState cycle, int nodeCount) {
        filterEnded(StatusCode.SUCCESS);
        if (!meter.isOn() || nodeCount == 0) {
            return;
        }
        for (var seat : filterSeats) {
            if (!cycle.skippedFilters().contains(seat.plugin())) {
                seat.metrics().evaluated(nodeCount);
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

    /// Asks the PreFilter plugins; null where they refuse the pod as a whole.
    private @Nullable Narrowed preFilter(CycleState cycle, Pod pod, Diagnosis diagnosis) {
        var outcome = preFilterPass.run(cycle, pod, _ -> {});
        var rejection = outcome.rejection();
        if (rejection != null) {
            diagnosis.addOthers(rejection.refusal(), state.nodes().all());
            diagnosis.preFilterMessage(rejection.message());
            diagnosis.addRejector(rejection);
            outcome.narrowing().forEach(diagnosis::addRejector);
            return null;
        }
        var names = outcome.names();
        return names == null
                ? new Narrowed(state.order(), state.orderCount(), Set.of())
                : subset(names, outcome.narrowing(), diagnosis);
    }

    /// Existing nodes among the named ones, in list order (E-90).
    private Narrowed subset(Set<String> names, Set<String> plugins, Diagnosis diagnosis) {
        var places = new long[names.size()];
        int count = 0;
        for (var name : names) {
            var node = state.nodes().byName(name);
            if (node != null) {
                places[count++] = (long) state.orderOf(node.slot()) << 32 | node.slot();
            }
        }
        Arrays.sort(places, 0, count);
        var slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = (int) places[i];
        }
        diagnosis.addOthers(
                unsatisfied.computeIfAbsent(plugins, NodeSearch::unsatisfied), List.of());
        plugins.forEach(diagnosis::addRejector);
        return new Narrowed(slots, count, plugins);
    }

    private static Refusal unsatisfied(Set<String> plugins) {
        return Refusal.hopeless(
                "node(s) didn't satisfy plugin(s) [" + String.join(" ", plugins) + "]");
    }

    /// Kept results where all nodes are judged. A pod that may go to one node only (a daemon's) has
    /// a spec of its own, which is not worth keeping, and there is nothing to choose by scores.
    private ShapeResults shapeFor(Pod pod, Narrowed narrowed) {
        return narrowed.isSubset() && narrowed.count() <= 1
                ? unkept(pod.spec())
                : shapes.of(pod.spec(), state);
    }

    private ShapeResults unkept(PodSpec spec) {
        var shape = new ShapeResults(local.keptBy(spec), local);
        shape.prepareFilters(state);
        return shape;
    }

    /// Nothing is kept of what is no attempt: columns that were made for a question go with it, and
    /// judges that read them would not see what is tried next time.
    private ShapeResults shapeFor(CycleState cycle, Pod pod) {
        return cycle.isCounted() ? shapes.of(pod.spec(), state) : unkept(pod.spec());
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

    private SearchResult walk(
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
        var best = filterPass.best();
        if (best != null && passed > 1 && extenders.isEmpty() && !observer.wantsScores()) {
            return chooseKept(cycle, pod, shape, best, start);
        }
        var left = extenders.filter(pod, filterPass.feasible(), passed);
        if (left.count() == 0) {
            filterPass.explain(judges, shape, narrowed.slots(), count, start, diagnosis);
            noteExtenders(left, passed, diagnosis);
            return new SearchResult.NoFit(diagnosis);
        }
        // Nodes that an extender dropped without a word were not evaluated, as upstream counts.
        int evaluated = filterPass.processed() - passed + left.count() + left.refused().size();
        if (left.count() == 1) {
            return only(state.view(left.slots()[0]), evaluated);
        }
        return choose(cycle, pod, shape, left, evaluated);
    }

    private static SearchResult only(NodeView node, int evaluated) {
        return new SearchResult.Found(
                node, evaluated, 1, () -> Choice.unscored(node.name(), Reason.ONLY_ONE));
    }

    /// The same where no nodes but one of each group need to be looked at, unless scores tell more
    /// nodes apart.
    private SearchResult chooseKept(
            CycleState cycle, Pod pod, ShapeResults shape, BestNodes nodes, int start) {
        int count = nodes.feasibleCount();
        int evaluated = filterPass.processed();
        if (!scorePass.runKept(cycle, pod, shape, filterPass, nodes)) {
            return best(filterPass.feasible(), scorePass.totals(), null, count, evaluated);
        }
        long[] extras = scorePass.extras(shape);
        int winner = nodes.winner(start, extras);
        var node = state.view(winner);
        int ties = nodes.tieCount();
        long total = nodes.highest();
        return new SearchResult.Found(
                node, evaluated, count, () -> HostChoice.told(node.name(), total, ties, false));
    }

    /// The best of the nodes that are left.
    private SearchResult choose(
            CycleState cycle, Pod pod, ShapeResults shape, Extenders.Left left, int evaluated) {
        int[] slots = left.slots();
        int count = left.count();
        var notes = observer.wantsScores() ? new ScoreNotes(count) : null;
        long[] totals = scorePass.run(cycle, pod, shape, slots, count, notes);
        if (notes != null) {
            observer.scored(pod, notes.sheet(state, slots));
        }
        long[] keys = extendersScore(pod, left, totals);
        if (notes != null) {
            observer.summed(
                    pod, ScoreNotes.names(state, slots, count), ScoreNotes.list(totals, count));
        }
        return best(slots, totals, keys, count, evaluated);
    }

    private SearchResult best(
            int[] slots, long[] totals, long @Nullable [] keys, int count, int evaluated) {
        int best =
                keys == null
                        ? HostChoice.best(totals, count)
                        : HostChoice.best(totals, keys, count);
        var node = state.view(slots[best]);
        return new SearchResult.Found(
                node,
                evaluated,
                count,
                () -> HostChoice.told(node.name(), best, totals, keys, count));
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

    private SearchResult walkOne(
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
                    return only(node, 1);
                }
                noteExtenders(left, 1, diagnosis);
            } else {
                diagnosis.addAgain(node, rejection);
            }
        }
        return new SearchResult.NoFit(diagnosis);
    }

    /// Where the next walk over so many nodes begins.
    int startIn(int count) {
        return rotation.startIn(count);
    }

    /// All nodes are judged while that is cheap; otherwise, or where asked for, as many as upstream
    /// would. It is not cheap where the nodes are sent to an extender.
    int quota(Pod pod, int count) {
        if (!scorePass.hasScores() && !extenders.judgeNodes()) {
            return 1;
        }
        if (percentage.isEmpty()) {
            return isColumnar && !extenders.judgeNodesFor(pod) ? count : Quota.of(count, 0);
        }
        return Quota.of(count, percentage.getAsInt());
    }

    /// How many feasible nodes kube-scheduler is content with where there are so many nodes.
    int upstreamQuota(int count) {
        return scorePass.hasScores() || extenders.judgeNodes()
                ? Quota.of(count, percentage.orElse(0))
                : 1;
    }

    /// How a node stands among all that can take the pod. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Standing standing(Pod pod, String node) {
        return explainer.standing(pod, node);
    }

    /// Tells what every node would be to the pod, and changes nothing. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Explanation explain(Pod pod, String profile) {
        return explainer.explain(pod, profile);
    }

    /// Forgets the kept verdicts and scores of a spec.
    public void drop(PodSpec spec) {
        shapes.drop(spec);
    }

    /// How many nodes can take the pod, and the first of them. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Room room(Pod pod) {
        return explainer.room(pod);
    }

    /// The names of the nodes that can take the pod. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public List<String> feasible(Pod pod) {
        return explainer.feasible(pod);
    }

    /// See [Explainer#first].
    public Optional<String> firstFeasible(Pod pod) {
        return explainer.first(pod);
    }

    /// See [Explainer#isFeasible].
    public boolean isFeasible(Pod pod, String node) {
        return explainer.isFeasible(pod, node);
    }

    /// Whom preemption would evict for the pod. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Optional<Preview> preview(Pod pod, List<PreemptionPreview> plugins, int most) {
        return explainer.preview(pod, plugins, most);
    }

    /// Looks for kept verdicts and scores that differ from what the plugins would say now.
    public List<String> recheck() {
        return shapes.recheck(state);
    }

    public DryRun dryRun(CycleState cycle, Pod pod) {
        return new ScratchRun(filters, shapeFor(cycle, pod), nominated, cycle, pod, state);
    }

    /// The two-pass question about one node, real or scratch, with any cycle's notes: for
    /// preemption.
    public @Nullable Rejection judge(CycleState cycle, Pod pod, NodeView node) {
        var shape = shapeFor(cycle, pod);
        var rejection = nominated.judge(cycle, pod, shape, node);
        return rejection != null
                ? rejection
                : new Judges(filters, shape, cycle, pod, state).firstRejection(node);
    }
}
