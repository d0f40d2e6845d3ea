package io.berth.lab.explain;

import io.berth.api.explain.Choice;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.FilterAnswer;
import io.berth.api.explain.NodeExplanation;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Refusal;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.port.TimeSource;
import io.berth.engine.query.EngineQueries;
import io.berth.lab.ImageCluster;
import io.berth.lab.KnownCluster;
import io.berth.lab.Mirror;
import io.berth.lab.Twin;
import io.berth.lab.explain.PodExplanation.ChoiceReport;
import io.berth.lab.explain.PodExplanation.Counts;
import io.berth.lab.explain.PodExplanation.Effort;
import io.berth.lab.explain.PodExplanation.NodeRow;
import io.berth.lab.explain.PodExplanation.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A cluster at one moment, with a twin of its own to ask about it. What is tried on the twin is
/// taken back, so that any number of questions may be asked, one after the other.
///
/// Used by one thread at a time.
public final class ClusterStudy implements AutoCloseable {
    private static final Trials.Budget BUDGET = new Trials.Budget(200, 3_000);

    private final KnownCluster cluster;
    private final Pools pools;
    private final Source source;
    private final List<PriorityClass> classes;
    private final List<String> uncertain;
    private final Map<String, Node> nodes;
    private final Map<String, QueueFacts> queue;
    private final Twin twin;
    private final boolean isTwinOwn;
    private boolean isDoubtful;

    /// What is known of a cluster beside its objects.
    ///
    /// @param classes the priorities that there are
    /// @param queue what a scheduler's queue says of pods, by `namespace/name`
    /// @param uncertain what could not be read
    public record Context(
            Source source,
            List<PriorityClass> classes,
            Map<String, QueueFacts> queue,
            List<String> uncertain) {
        public Context {
            classes = List.copyOf(classes);
            queue = Map.copyOf(queue);
            uncertain = List.copyOf(uncertain);
        }

        public static Context of(Source source) {
            return new Context(source, List.of(), Map.of(), List.of());
        }
    }

    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public ClusterStudy(
            EngineSettings settings,
            Registry registry,
            TimeSource time,
            ClusterImage image,
            Context context) {
        this(
                new ImageCluster(image),
                Twin.of(ofSome(settings), registry, time, image),
                true,
                new Pools(),
                context);
    }

    /// A study of what a mirror knows now.
    ///
    /// @param pools what earlier studies of this mirror have found
    public ClusterStudy(Mirror mirror, Pools pools, Context context) {
        this(mirror, mirror.twin(), false, pools, context);
    }

    private ClusterStudy(
            KnownCluster cluster, Twin twin, boolean isTwinOwn, Pools pools, Context context) {
        this.cluster = cluster;
        this.twin = twin;
        this.isTwinOwn = isTwinOwn;
        this.pools = pools;
        this.source = context.source;
        this.classes = context.classes;
        this.queue = context.queue;
        this.uncertain = context.uncertain;
        this.nodes = cluster.nodesByName();
    }

    /// Settings for an engine that is not told of every kind.
    public static EngineSettings ofSome(EngineSettings settings) {
        return settings.awaiting(Set.of(Kind.POD, Kind.NODE));
    }

    public Source source() {
        return source;
    }

    public KnownCluster cluster() {
        return cluster;
    }

    /// The twin; whoever tells it something takes it back.
    Twin twin() {
        return twin;
    }

    /// What could not be read, and what that makes uncertain.
    List<String> uncertain() {
        return uncertain;
    }

    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    public Optional<Pod> pod(String key) {
        return cluster.pod(key);
    }

    /// The pods that some profile of ours is to place and that have no node.
    public List<Pod> pending() {
        var profiles = Trials.ask(twin, EngineQueries::profiles);
        return cluster.podsWithoutNode().stream()
                .filter(pod -> !pod.isAssigned() && !pod.isTerminal() && !pod.isTerminating())
                .filter(pod -> profiles.contains(pod.spec().schedulerName()))
                .toList();
    }

    /// Tells about one pod.
    ///
    /// @throws ExplainException where it cannot be judged
    public PodExplanation explain(Pod pod, Question question) {
        // All of it on the twin's thread, which is asked hundreds of times.
        try {
            return Trials.ask(
                    twin, _ -> pod.isAssigned() ? placed(pod, question) : waiting(pod, question));
        } catch (ExplainException failed) {
            isDoubtful |= failed.leavesDoubt();
            throw failed;
        }
    }

    /// Whether something went wrong that may have left the twin in another state than it was in.
    public boolean isDoubtful() {
        return isDoubtful;
    }

    /// What every node would be to a pod.
    Explanation judge(Pod pod) {
        return Trials.ask(twin, queries -> queries.explain(pod))
                .orElseThrow(() -> foreign(pod.spec().schedulerName()));
    }

    private ExplainException foreign(String scheduler) {
        return new ExplainException(
                "the pod is for the scheduler \"%s\", which the configuration has no profile for (it has: %s); give its configuration with --config"
                        .formatted(
                                scheduler,
                                String.join(", ", Trials.ask(twin, EngineQueries::profiles))));
    }

    /// A pod that has a node is judged as if it were not there.
    private PodExplanation placed(Pod pod, Question question) {
        var feed = twin.feed();
        var before = Trials.counts(twin, List.of(pod));
        try {
            feed.gone(Kind.POD, pod.namespace(), pod.name());
            var explanation = judge(pod.toBuilder().nodeName("").build());
            var details = new Details(pod);
            var groups = new Groups(explanation, nodes, details);
            var rated = rated(explanation);
            var now = explanation.choice();
            var told = new HashSet<>(question.nodes());
            told.add(pod.nodeName());
            return new PodExplanation(
                    pod,
                    source,
                    new Phase(Category.PLACED, placedSentence(pod, explanation), facts(pod)),
                    counts(new Verdicts(explanation)),
                    "",
                    groups.all(),
                    rows(explanation, groups, told, question),
                    now.map(choice ->
                            new ChoiceReport(
                                    pod.nodeName(), choice, influences(rated, choice, question))),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Effort.NONE,
                    uncertain);
        } finally {
            feed.seen(pod);
            Trials.order(twin, cluster, before);
        }
    }

    private static List<PodExplanation.Influence> influences(
            List<NodeExplanation> rated, Choice choice, Question question) {
        return Influences.of(rated, choice.node(), Math.max(1, question.top()));
    }

    private static String placedSentence(Pod pod, Explanation explanation) {
        var node = explanation.node(pod.nodeName());
        if (node.isEmpty()) {
            return "on %s, which is not among the nodes".formatted(pod.nodeName());
        }
        if (!node.get().isFeasible()) {
            return "on %s, which would not take it any more".formatted(pod.nodeName());
        }
        return node.get()
                .rating()
                .map(rating ->
                        "on %s, now rank %d of %d nodes that can take it"
                                .formatted(
                                        pod.nodeName(),
                                        rating.rank(),
                                        explanation.feasible().size()))
                .orElse("on %s".formatted(pod.nodeName()));
    }

    private PodExplanation waiting(Pod pod, Question question) {
        var explanation = judge(pod);
        var groups = new Groups(explanation, nodes, new Details(pod));
        var all = groups.all();
        boolean hasPlace = explanation.choice().isPresent();
        var trials = new Trials(twin, cluster, BUDGET);
        var evictions = new PreemptionStudy(twin, trials, pod);
        var preemption =
                hasPlace || !question.evictions()
                        ? Optional.<PodExplanation.PreemptionReport>empty()
                        : evictions.report();
        var newNodes = hasPlace ? List.<Fix>of() : newNodes(pod, trials);
        var verdicts = new Verdicts(explanation);
        var phase = phase(pod, explanation, verdicts, !newNodes.isEmpty());
        var fixes = new ArrayList<Fix>();
        if (question.fixes() && !hasPlace && phase.category() != Category.GATED) {
            fixes.addAll(fixes(pod, explanation, groups, trials));
            fixes.addAll(evictions.fixes(classes));
            fixes.addAll(newNodes);
        }
        return new PodExplanation(
                pod,
                source,
                phase,
                counts(verdicts),
                hasPlace || nodes.isEmpty() ? "" : FailureText.of(explanation, all, nodes.size()),
                all,
                rows(explanation, groups, new HashSet<>(question.nodes()), question),
                explanation
                        .choice()
                        .map(choice ->
                                new ChoiceReport(
                                        "",
                                        choice,
                                        influences(rated(explanation), choice, question))),
                hasPlace ? Optional.empty() : Nearness.of(pod, cluster, groups),
                preemption,
                FixSearch.ranked(fixes),
                trials.effort(),
                uncertain(explanation));
    }

    private List<String> uncertain(Explanation explanation) {
        if (explanation.silentExtenders().isEmpty()) {
            return uncertain;
        }
        var more = new ArrayList<>(uncertain);
        more.add(
                "extenders were not asked (%s): they may take away nodes"
                        .formatted(String.join(", ", explanation.silentExtenders())));
        return more;
    }

    private List<Fix> fixes(Pod pod, Explanation explanation, Groups groups, Trials trials) {
        var search = new FixSearch(twin, nodes, groups, trials, pod);
        var fixes = new ArrayList<Fix>();
        refusalAsWhole(explanation)
                .ifPresentOrElse(
                        answer -> fixes.addAll(search.byRefusal(answer)),
                        () -> fixes.addAll(search.byPlugins()));
        return fixes;
    }

    private static Optional<FilterAnswer> refusalAsWhole(Explanation explanation) {
        return explanation.preFilters().stream()
                .filter(answer -> answer.verdict() instanceof Refusal)
                .map(answer -> new FilterAnswer(answer.plugin(), (Refusal) answer.verdict()))
                .findFirst();
    }

    /// One more node of each kind that would take the pod.
    private List<Fix> newNodes(Pod pod, Trials trials) {
        var fixes = new ArrayList<Fix>();
        for (var pool : pools.of(cluster)) {
            var change =
                    new Change(pod, List.of(pool.fresh()), List.of(), pool.daemons(), List.of());
            var room = trials.roomWith(pool.fresh().name(), change);
            if (!room.isNone()) {
                fixes.add(
                        new Fix(
                                0,
                                "one more node " + pool.name(),
                                io.berth.api.relax.Who.NEW_NODE,
                                100,
                                Fix.Patch.NONE,
                                room.nodes(),
                                pool.fresh().name(),
                                "",
                                List.of(),
                                change));
                if (fixes.size() == 3) {
                    break;
                }
            }
        }
        return fixes;
    }

    private Phase phase(Pod pod, Explanation explanation, Verdicts verdicts, boolean newNodeHelps) {
        var facts = facts(pod);
        if (!pod.spec().schedulingGates().isEmpty()) {
            return new Phase(
                    Category.GATED,
                    "not to be tried before its gates are removed: "
                            + String.join(", ", pod.spec().schedulingGates()),
                    facts);
        }
        var phase = new Phases(pod, explanation, verdicts, facts, nodes.size()).phase(newNodeHelps);
        return new Phase(
                phase.category(),
                phase.sentence(),
                facts,
                wakeups(pod, explanation, verdicts, facts));
    }

    /// By the plugins that refused it in its last attempt, or else by those that would refuse it
    /// now.
    private List<String> wakeups(
            Pod pod, Explanation explanation, Verdicts verdicts, QueueFacts facts) {
        if (explanation.choice().isPresent()) {
            return List.of();
        }
        var plugins = new TreeSet<>(facts.refusedBy());
        if (plugins.isEmpty()) {
            refusalAsWhole(explanation).ifPresent(answer -> plugins.add(answer.plugin()));
            verdicts.all().stream()
                    .map(Verdicts.Alike::refusals)
                    .filter(refusals -> !refusals.isEmpty())
                    .forEach(refusals -> plugins.add(refusals.getFirst().plugin()));
        }
        return Wakeups.of(Trials.ask(twin, queries -> queries.wakeups(pod, plugins)));
    }

    private QueueFacts facts(Pod pod) {
        return queue.getOrDefault(pod.key(), QueueFacts.unknown(pod.createdAt()));
    }

    private Counts counts(Verdicts verdicts) {
        return new Counts(nodes.size(), verdicts.judged(), verdicts.feasible());
    }

    private static List<NodeExplanation> rated(Explanation explanation) {
        return explanation.nodes().stream().filter(node -> node.rating().isPresent()).toList();
    }

    /// The nodes to tell of: those asked for, the best, and all where there are few.
    private List<NodeRow> rows(
            Explanation explanation, Groups groups, Set<String> told, Question question) {
        boolean all = question.allNodes() || explanation.nodes().size() <= Question.FEW_NODES;
        return explanation.nodes().stream()
                .filter(node ->
                        all
                                || told.contains(node.name())
                                || node.rating().map(r -> r.rank() <= question.top()).orElse(false))
                .sorted(
                        Comparator.comparingInt((NodeExplanation node) ->
                                        node.rating().map(r -> r.rank()).orElse(Integer.MAX_VALUE))
                                .thenComparingInt(
                                        node -> node.isLeftOut() ? 9 : node.refusals().size())
                                .thenComparingDouble(Groups::shortfall)
                                .thenComparing(NodeExplanation::name))
                .limit(
                        question.allNodes()
                                ? Long.MAX_VALUE
                                : Math.max(Question.FEW_NODES, told.size() + question.top()))
                .map(node -> row(node, groups))
                .toList();
    }

    private NodeRow row(NodeExplanation node, Groups groups) {
        var known = nodes.get(node.name());
        var zone = known == null ? null : known.labels().value(Node.ZONE_LABEL);
        var details =
                node.isFeasible()
                        ? List.<Group.Detail>of()
                        : groups.answers(node).stream()
                                .map(answer ->
                                        new Group.Detail(
                                                answer.plugin(),
                                                groups.detail(answer, node.name()),
                                                1))
                                .toList();
        return new NodeRow(node, zone == null ? "" : zone, details, verdict(node, details));
    }

    private static String verdict(NodeExplanation node, List<Group.Detail> details) {
        if (node.isFeasible()) {
            return "can take it";
        }
        return details.size() == 1 ? details.getFirst().text() : details.size() + " reasons";
    }

    @Override
    public void close() {
        if (isTwinOwn) {
            twin.close();
        }
    }
}
