package io.berth.engine.profile;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.explain.Explanation;
import io.berth.api.explain.Standing;
import io.berth.api.handle.DryRun;
import io.berth.api.handle.Handle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.QueueSort;
import io.berth.api.plugin.Reserve;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.PreemptionPreview;
import io.berth.api.relax.PreemptionPreview.Preview;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Pass;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.FailureSink;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.PluginLists;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.framework.Rejection;
import io.berth.engine.framework.Seat;
import io.berth.engine.framework.SettingsException;
import io.berth.engine.port.ProfileMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.search.Diagnosis;
import io.berth.engine.search.Extenders;
import io.berth.engine.search.NodeSearch;
import io.berth.engine.search.Room;
import io.berth.engine.search.SearchContext;
import io.berth.engine.search.SearchResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// One scheduler name with its plugins: runs each extension point and merges what the plugins say
/// (rules E-123 to E-139).
///
/// Owned by the engine thread, except for the [BindingPoints].
public final class Profile {
    private final String name;
    private final Map<String, Plugin> plugins;
    private final PluginLists lists;
    private final NodeSearch search;
    private final Meter meter;
    private final BindingPoints binding;
    private final List<Seat<PostFilter>> postFilters;
    private final List<Seat<Reserve>> reserves;
    private final List<Seat<Reserve>> unreserves;
    private final List<Seat<Permit>> permits;

    private Profile(
            String name,
            Map<String, Plugin> plugins,
            PluginLists lists,
            NodeSearch search,
            Extenders extenders,
            Meter meter) {
        this.name = name;
        this.plugins = plugins;
        this.lists = lists;
        this.search = search;
        this.meter = meter;
        this.binding = new BindingPoints(lists, extenders, meter);
        this.postFilters =
                meter.seats(
                        lists.at(Point.POST_FILTER, PostFilter.class),
                        TimedPoint.POST_FILTER,
                        Point.POST_FILTER);
        var reserving = lists.at(Point.RESERVE, Reserve.class);
        this.reserves = meter.seats(reserving, TimedPoint.RESERVE, Point.RESERVE);
        this.unreserves = meter.seats(reserving.reversed(), TimedPoint.UNRESERVE, Point.RESERVE);
        this.permits =
                meter.seats(lists.at(Point.PERMIT, Permit.class), TimedPoint.PERMIT, Point.PERMIT);
    }

    /// @throws SettingsException where the profile cannot work
    static Profile build(
            ProfileSettings settings,
            Registry registry,
            Handle handle,
            SearchContext context,
            OptionalInt globalPercentage) {
        var plugins = new LinkedHashMap<String, Plugin>();
        for (var name : PluginLists.needed(settings)) {
            var factory = registry.find(name);
            if (factory == null) {
                continue; // told below, with the extension point that asked for it
            }
            try {
                plugins.put(
                        name,
                        Objects.requireNonNull(
                                factory.create(
                                        settings.arguments().getOrDefault(name, Arguments.NONE),
                                        handle),
                                "its factory made none"));
            } catch (Throwable broken) {
                throw new SettingsException(
                        "initializing plugin \"%s\": %s"
                                .formatted(name, PluginFailure.textOf(broken)),
                        broken);
            }
        }
        var lists = PluginLists.expand(settings, plugins, context.log());
        requireSortAndBind(settings.schedulerName(), lists);
        var percentage =
                settings.percentageOfNodesToScore().isPresent()
                        ? settings.percentageOfNodesToScore()
                        : globalPercentage;
        if (percentage.isPresent() && percentage.getAsInt() == 0) {
            percentage = OptionalInt.empty();
        }
        var meter = new Meter(settings.schedulerName(), context.metrics(), context.time());
        return new Profile(
                settings.schedulerName(),
                plugins,
                lists,
                new NodeSearch(lists, percentage, context, meter),
                context.extenders(),
                meter);
    }

    private static void requireSortAndBind(String schedulerName, PluginLists lists) {
        int sorts = lists.at(Point.QUEUE_SORT).size();
        if (sorts != 1) {
            throw new SettingsException(
                    "only one queue sort plugin required for profile with scheduler name \"%s\", but got %d"
                            .formatted(schedulerName, sorts));
        }
        if (lists.at(Point.BIND).isEmpty()) {
            throw new SettingsException(
                    "at least one bind plugin is needed for profile with scheduler name \"%s\""
                            .formatted(schedulerName));
        }
    }

    public String name() {
        return name;
    }

    /// What is counted about this profile.
    public ProfileMetrics metrics() {
        return meter.profile();
    }

    public Collection<Plugin> plugins() {
        return plugins.values();
    }

    public List<Plugin> pluginsAt(Point point) {
        return lists.at(point);
    }

    /// Plugin names by extension point, for logs.
    public Map<String, List<String>> pluginNames() {
        return lists.names();
    }

    public QueueSort queueSort() {
        return (QueueSort) lists.at(Point.QUEUE_SORT).getFirst();
    }

    public List<PreEnqueue> preEnqueues() {
        return lists.at(Point.PRE_ENQUEUE, PreEnqueue.class);
    }

    /// Searches a node for the pod.
    ///
    /// @throws PluginFailure where a plugin breaks
    public SearchResult search(CycleState cycle, Pod pod) {
        return search.run(cycle, pod);
    }

    /// Tells what every node would be to the pod if it were tried now, and changes nothing. Between
    /// attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Explanation explain(Pod pod) {
        return search.explain(pod, name);
    }

    /// How a node stands among all that can take the pod. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Standing standing(Pod pod, String node) {
        return search.standing(pod, node);
    }

    /// Forgets the kept verdicts and scores of a spec.
    public void drop(PodSpec spec) {
        search.drop(spec);
    }

    /// How many nodes can take the pod, and the first of them. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Room room(Pod pod) {
        return search.room(pod);
    }

    /// The names of the nodes that can take the pod, in the order in which a search would visit
    /// them. Between attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public List<String> feasible(Pod pod) {
        return search.feasible(pod);
    }

    /// The first of them.
    public Optional<String> firstFeasible(Pod pod) {
        return search.firstFeasible(pod);
    }

    /// Whether a node is among them.
    public boolean isFeasible(Pod pod, String node) {
        return search.isFeasible(pod, node);
    }

    /// Whom preemption would evict for the pod; empty where no plugin of ours can tell. Between
    /// attempts only.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Optional<Preview> preview(Pod pod, int most) {
        var plugins =
                lists.at(Point.POST_FILTER).stream()
                        .filter(PreemptionPreview.class::isInstance)
                        .map(PreemptionPreview.class::cast)
                        .toList();
        return search.preview(pod, plugins, most);
    }

    /// What a plugin proposes to have a pod pass; nothing where it has no proposals to make.
    public List<Relaxation> relaxations(String plugin, Pod pod, List<Obstacle> obstacles) {
        return plugins.get(plugin) instanceof Relaxable relaxable
                ? relaxable.relaxations(pod, obstacles)
                : List.of();
    }

    /// Which events have a pod tried again that a plugin has refused; all where it does not say.
    public List<ClusterEvent> wakeups(String plugin) {
        return plugins.get(plugin) instanceof Events waking
                ? waking.events().stream().map(Registration::event).toList()
                : List.of(ClusterEvent.of(ClusterEvent.ANY, Action.ALL));
    }

    /// Looks for kept verdicts and scores that differ from what the plugins would say now; there
    /// are none, or something is broken.
    public List<String> recheck() {
        return search.recheck();
    }

    /// What PostFilter came to.
    ///
    /// @param nominatedNode null: leave the pod's nomination as it is; empty: clear it
    /// @param isBroken whether a plugin failed, rather than found nothing
    public record Help(@Nullable String nominatedNode, boolean isBroken) {
        Help(@Nullable String nominatedNode) {
            this(nominatedNode, false);
        }
    }

    public boolean hasPostFilters() {
        return !postFilters.isEmpty();
    }

    /// Tries to help a pod that fits nowhere; its message goes into the diagnosis.
    public Help postFilter(CycleState cycle, Pod pod, Diagnosis diagnosis) {
        long begin = meter.begin();
        var status = StatusCode.UNSCHEDULABLE;
        var reasons = new ArrayList<String>();
        @Nullable String nomination = null;
        for (var seat : postFilters) {
            PostFilterVerdict verdict;
            try {
                verdict =
                        seat.ask(
                                cycle,
                                plugin -> plugin.postFilter(cycle, pod, diagnosis),
                                Profile::codeOf);
            } catch (PluginFailure broken) {
                // An error ends the round: its text is what the user reads, and what earlier
                // plugins wanted of the nomination is void.
                meter.end(TimedPoint.POST_FILTER, StatusCode.ERROR, begin);
                diagnosis.postFilterMessage(broken.ownWords());
                return new Help(null, true);
            }
            status = codeOf(verdict);
            switch (verdict) {
                case PostFilterVerdict.Nominated(var node) -> {
                    meter.end(TimedPoint.POST_FILTER, status, begin);
                    return new Help(node);
                }
                case PostFilterVerdict.Nothing nothing -> {
                    boolean clears = nothing.nomination() == PostFilterVerdict.Nomination.CLEAR;
                    if (nothing.isFinal()) {
                        meter.end(TimedPoint.POST_FILTER, status, begin);
                        diagnosis.postFilterMessage(String.join(", ", nothing.reasons()));
                        return new Help(clears ? "" : null);
                    }
                    reasons.addAll(nothing.reasons());
                    nomination = clears ? "" : nomination;
                }
            }
        }
        meter.end(TimedPoint.POST_FILTER, StatusCode.UNSCHEDULABLE, begin);
        diagnosis.postFilterMessage(String.join(", ", reasons));
        return new Help(nomination);
    }

    private static StatusCode codeOf(PostFilterVerdict verdict) {
        return switch (verdict) {
            case PostFilterVerdict.Nominated _ -> StatusCode.SUCCESS;
            case PostFilterVerdict.Nothing nothing ->
                    nothing.isFinal()
                            ? StatusCode.UNSCHEDULABLE_AND_UNRESOLVABLE
                            : StatusCode.UNSCHEDULABLE;
        };
    }

    /// Sets aside what the pod needs; the first refusal ends it.
    public @Nullable Rejection reserve(CycleState cycle, Pod pod, String node) {
        if (reserves.isEmpty()) {
            meter.nothingToDo(TimedPoint.RESERVE);
            return null;
        }
        long begin = meter.begin();
        var status = StatusCode.SUCCESS;
        try {
            for (var seat : reserves) {
                status = StatusCode.ERROR;
                ReserveVerdict verdict =
                        seat.ask(
                                cycle,
                                plugin -> plugin.reserve(cycle, pod, node),
                                StatusCode::ofVerdict);
                status = StatusCode.ofVerdict(verdict);
                if (verdict instanceof Refusal refusal) {
                    return new Rejection(seat.name(), refusal);
                }
            }
            return null;
        } finally {
            meter.end(TimedPoint.RESERVE, status, begin);
        }
    }

    /// Gives back, in reverse order. A plugin that breaks does not keep the others from it.
    public void unreserve(CycleState cycle, Pod pod, String node, FailureSink failures) {
        long begin = meter.begin();
        for (var seat : unreserves) {
            seat.tell(cycle, plugin -> plugin.unreserve(cycle, pod, node), failures);
        }
        meter.end(TimedPoint.UNRESERVE, StatusCode.SUCCESS, begin);
    }

    /// What the permit plugins decided: a rejection, or the plugins to wait for with their limits
    /// (none: go on at once).
    public record Permission(
            @Nullable Rejection rejection, Map<String, java.time.Duration> waits) {}

    public Permission permit(CycleState cycle, Pod pod, String node) {
        if (permits.isEmpty()) {
            meter.nothingToDo(TimedPoint.PERMIT);
            return new Permission(null, Map.of());
        }
        long begin = meter.begin();
        var status = StatusCode.ERROR;
        try {
            var permission = askPermits(cycle, pod, node);
            var rejection = permission.rejection;
            if (rejection != null) {
                status = StatusCode.of(rejection.refusal());
            } else {
                status = permission.waits.isEmpty() ? StatusCode.SUCCESS : StatusCode.WAIT;
            }
            return permission;
        } finally {
            meter.end(TimedPoint.PERMIT, status, begin);
        }
    }

    private Permission askPermits(CycleState cycle, Pod pod, String node) {
        var waits = new LinkedHashMap<String, java.time.Duration>();
        for (var seat : permits) {
            PermitVerdict verdict =
                    seat.ask(cycle, plugin -> plugin.permit(cycle, pod, node), Profile::codeOf);
            switch (verdict) {
                case Pass _ -> {}
                case Refusal refusal -> {
                    return new Permission(new Rejection(seat.name(), refusal), Map.of());
                }
                case PermitVerdict.Wait(var limit) -> waits.put(seat.name(), limit);
            }
        }
        return new Permission(null, waits);
    }

    private static StatusCode codeOf(PermitVerdict verdict) {
        return verdict instanceof PermitVerdict.Wait
                ? StatusCode.WAIT
                : StatusCode.ofVerdict(verdict);
    }

    /// The points that a placed pod passes on its way to its node.
    public BindingPoints binding() {
        return binding;
    }

    /// Begins a dry run for a pod.
    public DryRun dryRun(CycleState cycle, Pod pod) {
        return search.dryRun(cycle, pod);
    }

    /// Runs the filters for one node, real or scratch, in two passes (E-92).
    public Verdict filterWithNominatedPods(CycleState cycle, Pod pod, NodeView node) {
        var rejection = search.judge(cycle, pod, node);
        return rejection == null ? Verdict.PASS : rejection.refusal();
    }
}
