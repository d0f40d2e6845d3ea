package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.explain.Choice;
import io.berth.api.explain.Choice.Reason;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.explain.PreFilterAnswer;
import io.berth.api.explain.Rating;
import io.berth.api.explain.Standing;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.Refusals;
import io.berth.api.relax.PreemptionPreview;
import io.berth.api.relax.PreemptionPreview.Preview;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.Rejection;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells what every node would be to a pod if it were tried now, and changes nothing that a later
/// attempt sees: the node order, the kept results, the rotation and the metrics stay as they are,
/// and no extender is asked. Only what images nodes show is that of the last attempt.
///
/// Owned by the engine thread; asked between attempts.
final class Explainer {
    private final PreFilterPass preFilters;
    private final List<Filter> filters;
    private final ScorePass scores;
    private final LocalPlugins local;
    private final NominatedPods nominated;
    private final NodeSearch search;
    private final ClusterState state;
    private final Extenders extenders;

    Explainer(
            PreFilterPass preFilters,
            List<PreFilter> preFilterPlugins,
            List<Filter> filters,
            ScorePass scores,
            LocalPlugins local,
            NodeSearch search,
            SearchContext context,
            Meter meter) {
        this.preFilters = preFilters;
        this.filters = filters;
        this.scores = scores;
        this.local = local;
        this.search = search;
        this.state = context.state();
        this.extenders = context.extenders();
        this.nominated =
                new NominatedPods(
                        preFilterPlugins, filters, context.state(), context.nominations(), meter);
    }

    Explanation explain(Pod pod, String profile) {
        return state.ask(() -> explained(pod, profile));
    }

    private Explanation explained(Pod pod, String profile) {
        var cycle = new CycleState();
        var answers = new ArrayList<PreFilterAnswer>();
        var outcome = preFilters.run(cycle, pod, answers::add);
        var silent = extenders.thatJudge(pod);
        if (outcome.rejection() != null) {
            return new Explanation(
                    pod.key(), profile, answers, List.of(), silent, Optional.empty());
        }
        var look = new Look(cycle, pod, outcome.names());
        return new Explanation(
                pod.key(),
                profile,
                answers,
                look.nodes(),
                silent,
                Optional.ofNullable(look.choice));
    }

    /// The nodes that can take the pod, in the order in which a search would visit them now; the
    /// same judgement without words and scores, which is quicker.
    List<String> feasible(Pod pod) {
        return state.ask(() -> feasibleNow(pod));
    }

    private List<String> feasibleNow(Pod pod) {
        int[] slots = passingNow(pod);
        return ScoreNotes.names(state, slots, slots.length);
    }

    /// How many they are, and the first of them.
    Room room(Pod pod) {
        return state.ask(() -> {
            int[] slots = passingNow(pod);
            return slots.length == 0
                    ? Room.NONE
                    : new Room(slots.length, state.view(slots[0]).name());
        });
    }

    private int[] passingNow(Pod pod) {
        var cycle = new CycleState();
        var outcome = preFilters.run(cycle, pod, _ -> {});
        return outcome.rejection() == null
                ? new Sight(cycle, pod, outcome.names()).passing()
                : new int[0];
    }

    /// The first of the nodes that [#feasible] names; empty where there is none.
    Optional<String> first(Pod pod) {
        return state.ask(() -> firstNow(pod));
    }

    private Optional<String> firstNow(Pod pod) {
        var cycle = new CycleState();
        var outcome = preFilters.run(cycle, pod, _ -> {});
        if (outcome.rejection() != null) {
            return Optional.empty();
        }
        var sight = new Sight(cycle, pod, outcome.names());
        for (int slot : sight.looked) {
            var node = state.view(slot);
            if (sight.passes(node)) {
                return Optional.of(node.name());
            }
        }
        return Optional.empty();
    }

    /// Whether [#feasible] names a node.
    boolean isFeasible(Pod pod, String name) {
        return state.ask(() -> isFeasibleNow(pod, name));
    }

    private boolean isFeasibleNow(Pod pod, String name) {
        var node = state.nodes().byName(name);
        var cycle = new CycleState();
        var outcome = preFilters.run(cycle, pod, _ -> {});
        if (node == null
                || outcome.rejection() != null
                || outcome.names() != null && !outcome.names().contains(name)) {
            return false;
        }
        int[] one = {node.slot()};
        return new Sight(cycle, pod, one, one).passes(node);
    }

    /// How a node stands among all that can take the pod, all of them scored.
    Standing standing(Pod pod, String node) {
        return state.ask(() -> new StandingLook(pod, node).standing());
    }

    /// Whom preemption would evict for the pod; empty where no plugin can tell, or where no node
    /// was looked at.
    Optional<Preview> preview(Pod pod, List<PreemptionPreview> plugins, int most) {
        return state.ask(() -> previewed(pod, plugins, most));
    }

    private Optional<Preview> previewed(Pod pod, List<PreemptionPreview> plugins, int most) {
        var cycle = new CycleState();
        var outcome = preFilters.run(cycle, pod, _ -> {});
        if (plugins.isEmpty() || outcome.rejection() != null) {
            return Optional.empty();
        }
        var refusals = new LateRefusals(() -> diagnosis(cycle, pod, outcome.names()));
        return Optional.of(plugins.getFirst().preview(cycle, pod, refusals, most));
    }

    private Diagnosis diagnosis(CycleState cycle, Pod pod, @Nullable Set<String> names) {
        var sight = new Sight(cycle, pod, names);
        var diagnosis = new Diagnosis(sight.order.length);
        for (int slot : sight.looked) {
            var node = state.view(slot);
            var beside = sight.beside(node);
            var rejection = beside == null ? sight.judges.firstRejection(node) : beside;
            if (rejection != null) {
                diagnosis.add(node, rejection);
            }
        }
        return diagnosis;
    }

    /// Refusals that are found when somebody wants to know them: often the pod may evict nobody,
    /// whatever nodes say.
    private static final class LateRefusals implements Refusals {
        private final Supplier<Diagnosis> source;
        private @Nullable Diagnosis found;

        LateRefusals(Supplier<Diagnosis> source) {
            this.source = source;
        }

        private Diagnosis found() {
            var known = found;
            if (known == null) {
                known = source.get();
                found = known;
            }
            return known;
        }

        @Override
        public @Nullable Refusal of(String nodeName) {
            return found().of(nodeName);
        }

        @Override
        public Refusal ofOthers() {
            return found().ofOthers();
        }

        @Override
        public List<NodeView> resolvableNodes() {
            return found().resolvableNodes();
        }
    }

    private int[] named(int[] slots, Set<String> names) {
        return Arrays.stream(slots)
                .filter(slot -> names.contains(state.view(slot).name()))
                .toArray();
    }

    /// All nodes that PreFilter leaves, judged without words.
    private final class Sight {
        private final int[] order;
        private final int[] looked;
        private final ShapeResults shape;
        private final Judges judges;

        Sight(CycleState cycle, Pod pod, @Nullable Set<String> names) {
            this(cycle, pod, state.nextOrder(), names);
        }

        private Sight(CycleState cycle, Pod pod, int[] order, @Nullable Set<String> names) {
            this(cycle, pod, order, names == null ? order : named(order, names));
        }

        /// @param order of all nodes
        /// @param looked those that are judged
        Sight(CycleState cycle, Pod pod, int[] order, int[] looked) {
            this.order = order;
            this.looked = looked;
            shape = new ShapeResults(local.keptBy(pod.spec()), local);
            shape.prepareFilters(state);
            judges = new Judges(filters, shape, cycle, pod, state);
            nominated.begin(cycle, pod, shape);
        }

        boolean passes(NodeView node) {
            return judges.passesAll(node) && beside(node) == null;
        }

        /// The slots of the nodes that can take the pod, in order.
        int[] passing() {
            var slots = looked.clone();
            int count = judges.retainAll(slots, slots.length, state);
            if (!nominated.concernsAny()) {
                return Arrays.copyOf(slots, count);
            }
            return Arrays.stream(slots, 0, count)
                    .filter(slot -> nominated.refusal(slot) == null)
                    .toArray();
        }

        @Nullable Rejection beside(NodeView node) {
            return nominated.concernsAny() ? nominated.refusal(node.slot()) : null;
        }
    }

    /// One look at all nodes.
    private final class Look {
        private final CycleState cycle;
        private final Pod pod;
        private final Sight sight;

        /// By slot; null for a node that PreFilter left out.
        private final @Nullable NodeExplanation[] judged =
                new NodeExplanation[state.columns().limit()];

        private @Nullable Choice choice;

        Look(CycleState cycle, Pod pod, @Nullable Set<String> names) {
            this.cycle = cycle;
            this.pod = pod;
            this.sight = new Sight(cycle, pod, names);
            judge();
            rate(sight.looked);
        }

        private void judge() {
            var likeness = new Likeness(sight.looked.length);
            for (int i = 0; i < filters.size(); i++) {
                if (!cycle.skippedFilters().contains(filters.get(i))) {
                    ask(i, likeness);
                }
            }
            for (int i = 0; i < sight.looked.length; i++) {
                var node = state.view(sight.looked[i]);
                var beside = sight.beside(node);
                judged[sight.looked[i]] =
                        new NodeExplanation(
                                node.name(),
                                false,
                                likeness.answers(i),
                                Optional.ofNullable(beside)
                                        .map(no -> new FilterAnswer(no.plugin(), no.refusal())),
                                Optional.empty());
            }
        }

        private void ask(int position, Likeness likeness) {
            var plugin = filters.get(position).name();
            likeness.begin(new FilterAnswer(plugin, Verdict.PASS));
            if (sight.judges.isSilent(position)) {
                return;
            }
            for (int i = 0; i < sight.looked.length; i++) {
                var node = state.view(sight.looked[i]);
                var rejection = sight.judges.ask(position, node);
                if (rejection != null) {
                    likeness.refused(
                            i,
                            new FilterAnswer(
                                    plugin,
                                    rejection.refusal(),
                                    sight.judges.lacks(position, node),
                                    sight.judges.detail(position, node)));
                }
            }
        }

        /// Scores the nodes that the search would score, in its order.
        private void rate(int[] looked) {
            int start = search.startIn(looked.length);
            int[] slots =
                    Arrays.stream(rotated(looked, start))
                            .filter(slot -> at(slot).isFeasible())
                            .limit(search.quota(pod, looked.length))
                            .toArray();
            if (slots.length == 0) {
                return;
            }
            sight.shape.score(state, slots);
            var notes = new ScoreNotes(slots.length);
            long[] totals = scores.run(cycle, pod, sight.shape, slots, slots.length, notes);
            int[] ranks = ranks(totals, slots.length);
            for (int i = 0; i < slots.length; i++) {
                var rating = new Rating(notes.answers(i), totals[i], ranks[i]);
                var node = at(slots[i]);
                judged[slots[i]] =
                        new NodeExplanation(
                                node.name(),
                                false,
                                node.filters(),
                                node.besideNominated(),
                                Optional.of(rating));
            }
            choice = choose(slots, totals);
        }

        private Choice choose(int[] slots, long[] totals) {
            var nominee = state.nodes().byName(pod.nominatedNodeName());
            if (nominee != null
                    && judged[nominee.slot()] != null
                    && at(nominee.slot()).isFeasible()) {
                return Choice.unscored(nominee.name(), Reason.NOMINATED);
            }
            if (slots.length == 1) {
                return Choice.unscored(state.view(slots[0]).name(), Reason.ONLY_ONE);
            }
            int best = HostChoice.best(totals, slots.length);
            var name = state.view(slots[best]).name();
            return HostChoice.told(name, best, totals, null, slots.length);
        }

        private NodeExplanation at(int slot) {
            return Objects.requireNonNull(judged[slot]);
        }

        /// All nodes in their order, those that PreFilter left out included.
        List<NodeExplanation> nodes() {
            var nodes = new ArrayList<NodeExplanation>(sight.order.length);
            for (int slot : sight.order) {
                var known = judged[slot];
                nodes.add(known == null ? leftOut(slot) : known);
            }
            return nodes;
        }

        private NodeExplanation leftOut(int slot) {
            return new NodeExplanation(
                    state.view(slot).name(), true, List.of(), Optional.empty(), Optional.empty());
        }
    }

    /// One look at all nodes for the sake of one.
    private final class StandingLook {
        private final CycleState cycle = new CycleState();
        private final Pod pod;
        private final @Nullable NodeView node;

        StandingLook(Pod pod, String name) {
            this.pod = pod;
            this.node = state.nodes().byName(name);
        }

        Standing standing() {
            var answers = new ArrayList<PreFilterAnswer>();
            var outcome = preFilters.run(cycle, pod, answers::add);
            if (outcome.rejection() != null) {
                var no = outcome.rejection();
                return impossible(
                        0, 0, Optional.of(new FilterAnswer(no.plugin(), no.refusal())), false);
            }
            var sight = new Sight(cycle, pod, outcome.names());
            int[] slots = sight.passing();
            int enough = search.upstreamQuota(sight.looked.length);
            var asked = node;
            if (asked == null || !isAmong(asked, sight.looked)) {
                return impossible(slots.length, enough, Optional.empty(), true);
            }
            int place = placeOf(asked.slot(), slots);
            if (place < 0) {
                return impossible(slots.length, enough, refusal(sight, asked), false);
            }
            return rated(sight, slots, place, enough);
        }

        private static boolean isAmong(NodeView asked, int[] slots) {
            return placeOf(asked.slot(), slots) >= 0;
        }

        private static int placeOf(int slot, int[] slots) {
            for (int i = 0; i < slots.length; i++) {
                if (slots[i] == slot) {
                    return i;
                }
            }
            return -1;
        }

        private Optional<FilterAnswer> refusal(Sight sight, NodeView asked) {
            var beside = sight.beside(asked);
            var no = beside == null ? sight.judges.firstRejection(asked) : beside;
            return Optional.ofNullable(no).map(r -> new FilterAnswer(r.plugin(), r.refusal()));
        }

        private static Standing impossible(
                int feasible, int enough, Optional<FilterAnswer> refusal, boolean isAbsent) {
            return new Standing(
                    feasible,
                    enough,
                    refusal,
                    isAbsent,
                    false,
                    OptionalLong.empty(),
                    0,
                    "",
                    0,
                    List.of());
        }

        private Standing rated(Sight sight, int[] slots, int place, int enough) {
            sight.shape.score(state, slots);
            long[] totals = scores.run(cycle, pod, sight.shape, slots, slots.length, null);
            int best = HostChoice.best(totals, slots.length);
            long highest = totals[best];
            long total = totals[place];
            int ties = 0;
            for (int i = 0; i < slots.length; i++) {
                ties += totals[i] == highest ? 1 : 0;
            }
            var name = state.view(slots[place]).name();
            return new Standing(
                    slots.length,
                    enough,
                    Optional.empty(),
                    false,
                    pod.nominatedNodeName().equals(name),
                    OptionalLong.of(total),
                    highest,
                    state.view(slots[best]).name(),
                    ties,
                    total == highest ? List.of() : leads(sight, slots, best, place));
        }

        /// Scores once more, with notes: this is rare.
        private List<Standing.Lead> leads(Sight sight, int[] slots, int best, int place) {
            var notes = new ScoreNotes(slots.length);
            scores.run(cycle, pod, sight.shape, slots, slots.length, notes);
            return notes.sheet(state, slots).rows().stream()
                    .map(row ->
                            new Standing.Lead(
                                    row.plugin(),
                                    row.answer(best).weighted() - row.answer(place).weighted()))
                    .filter(lead -> lead.points() != 0)
                    .sorted(Comparator.comparingLong(lead -> -lead.points()))
                    .toList();
        }
    }

    /// 1 and how many have more, for each.
    private static int[] ranks(long[] totals, int count) {
        var sorted = Arrays.copyOf(totals, count);
        Arrays.sort(sorted);
        var ranks = new int[count];
        for (int i = 0; i < count; i++) {
            int above = count;
            int below = 0;
            while (below < above) {
                int middle = (below + above) >>> 1;
                if (sorted[middle] > totals[i]) {
                    above = middle;
                } else {
                    below = middle + 1;
                }
            }
            ranks[i] = count - above + 1;
        }
        return ranks;
    }

    private static int[] rotated(int[] slots, int start) {
        var result = new int[slots.length];
        System.arraycopy(slots, start, result, 0, slots.length - start);
        System.arraycopy(slots, 0, result, slots.length - start, start);
        return result;
    }
}
