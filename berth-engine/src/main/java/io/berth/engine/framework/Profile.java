package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.DryRun;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Pass;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PermitVerdict;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PostFilterVerdict;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.QueueSort;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.ReserveVerdict;
import io.berth.api.plugin.Verdict;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.ProfileMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final List<PostFilter> postFilters;
    private final List<Reserve> reserves;
    private final List<Permit> permits;
    private final PluginMetrics[] postFilterMetrics;
    private final PluginMetrics[] reserveMetrics;
    private final PluginMetrics[] unreserveMetrics;
    private final PluginMetrics[] permitMetrics;

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
        this.postFilters = lists.at(Point.POST_FILTER, PostFilter.class);
        this.reserves = lists.at(Point.RESERVE, Reserve.class);
        this.permits = lists.at(Point.PERMIT, Permit.class);
        this.postFilterMetrics = meter.plugins(postFilters, TimedPoint.POST_FILTER);
        this.reserveMetrics = meter.plugins(reserves, TimedPoint.RESERVE);
        this.unreserveMetrics = meter.plugins(reserves, TimedPoint.UNRESERVE);
        this.permitMetrics = meter.plugins(permits, TimedPoint.PERMIT);
    }

    /// @throws SettingsException where the profile cannot work
    static Profile build(
            ProfileSettings settings,
            Registry registry,
            Handle handle,
            SearchSurroundings around,
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
            } catch (RuntimeException | LinkageError broken) {
                throw new SettingsException(
                        "initializing plugin \"%s\": %s"
                                .formatted(name, PluginFailure.textOf(broken)),
                        broken);
            }
        }
        var lists = PluginLists.expand(settings, plugins, around.log());
        requireSortAndBind(settings.schedulerName(), lists);
        var percentage =
                settings.percentageOfNodesToScore().isPresent()
                        ? settings.percentageOfNodesToScore()
                        : globalPercentage;
        if (percentage.isPresent() && percentage.getAsInt() == 0) {
            percentage = OptionalInt.empty();
        }
        var meter = new Meter(settings.schedulerName(), around.metrics(), around.time());
        return new Profile(
                settings.schedulerName(),
                plugins,
                lists,
                new NodeSearch(lists, percentage, around, meter),
                around.extenders(),
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
    public Placement search(CycleState cycle, Pod pod) {
        return search.run(cycle, pod);
    }

    /// Tells what every node would be to the pod now, and changes nothing.
    ///
    /// @throws PluginFailure where a plugin breaks
    public Evaluation evaluate(Pod pod) {
        return search.evaluate(pod);
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
        for (int i = 0; i < postFilters.size(); i++) {
            PostFilterVerdict verdict;
            long beginPlugin = meter.beginPlugin(cycle);
            try {
                verdict = postFilters.get(i).postFilter(cycle, pod, diagnosis);
            } catch (RuntimeException | LinkageError broken) {
                // An error ends the round: its text is what the user reads, and what earlier
                // plugins
                // wanted of the nomination is void.
                meter.endPlugin(postFilterMetrics[i], StatusCode.ERROR, beginPlugin);
                meter.end(TimedPoint.POST_FILTER, StatusCode.ERROR, begin);
                diagnosis.postFilterMessage(PluginFailure.textOf(broken));
                return new Help(null, true);
            }
            status = codeOf(verdict);
            meter.endPlugin(postFilterMetrics[i], status, beginPlugin);
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
            for (int i = 0; i < reserves.size(); i++) {
                var plugin = reserves.get(i);
                long beginPlugin = meter.beginPlugin(cycle);
                status = StatusCode.ERROR;
                ReserveVerdict verdict;
                try {
                    verdict = plugin.reserve(cycle, pod, node);
                    status = StatusCode.ofVerdict(verdict);
                } catch (RuntimeException | LinkageError broken) {
                    throw PluginFailure.running(Point.RESERVE, plugin.name(), broken);
                } finally {
                    meter.endPlugin(reserveMetrics[i], status, beginPlugin);
                }
                if (verdict instanceof Refusal refusal) {
                    return new Rejection(plugin.name(), refusal);
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
        for (int i = reserves.size() - 1; i >= 0; i--) {
            var plugin = reserves.get(i);
            long beginPlugin = meter.beginPlugin(cycle);
            try {
                plugin.unreserve(cycle, pod, node);
            } catch (RuntimeException | LinkageError broken) {
                failures.failed(plugin.name(), broken);
            }
            meter.endPlugin(unreserveMetrics[i], StatusCode.SUCCESS, beginPlugin);
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
        for (int i = 0; i < permits.size(); i++) {
            var plugin = permits.get(i);
            long begin = meter.beginPlugin(cycle);
            var status = StatusCode.ERROR;
            PermitVerdict verdict;
            try {
                verdict = plugin.permit(cycle, pod, node);
                status =
                        verdict instanceof PermitVerdict.Wait
                                ? StatusCode.WAIT
                                : StatusCode.ofVerdict(verdict);
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.running(Point.PERMIT, plugin.name(), broken);
            } finally {
                meter.endPlugin(permitMetrics[i], status, begin);
            }
            switch (verdict) {
                case Pass _ -> {}
                case Refusal refusal -> {
                    return new Permission(new Rejection(plugin.name(), refusal), Map.of());
                }
                case PermitVerdict.Wait(var limit) -> waits.put(plugin.name(), limit);
            }
        }
        return new Permission(null, waits);
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
