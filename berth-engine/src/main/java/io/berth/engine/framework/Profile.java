package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.BindVerdict;
import io.berth.api.plugin.DryRun;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.NodeView;
import io.berth.api.plugin.Pass;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PermitVerdict;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.PostFilterVerdict;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.QueueSort;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.Skip;
import io.berth.api.plugin.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// One scheduler name with its plugins: runs each extension point and merges what the plugins say
/// (rules E-123 to E-139).
///
/// Owned by the engine thread, except for the binding points (`preBind`, `bind`, `postBind`), which
/// run on the pod's binding thread.
public final class Profile {
    private final String name;
    private final Map<String, Plugin> plugins;
    private final PluginLists lists;
    private final NodeSearch search;
    private final Extenders extenders;
    private final List<PostFilter> postFilters;
    private final List<Reserve> reserves;
    private final List<Permit> permits;
    private final List<PreBind> preBinds;
    private final List<Bind> binds;
    private final List<PostBind> postBinds;

    private Profile(
            String name,
            Map<String, Plugin> plugins,
            PluginLists lists,
            NodeSearch search,
            Extenders extenders) {
        this.name = name;
        this.plugins = plugins;
        this.lists = lists;
        this.search = search;
        this.extenders = extenders;
        this.postFilters = lists.at(Point.POST_FILTER, PostFilter.class);
        this.reserves = lists.at(Point.RESERVE, Reserve.class);
        this.permits = lists.at(Point.PERMIT, Permit.class);
        this.preBinds = lists.at(Point.PRE_BIND, PreBind.class);
        this.binds = lists.at(Point.BIND, Bind.class);
        this.postBinds = lists.at(Point.POST_BIND, PostBind.class);
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
                        factory.create(
                                settings.arguments().getOrDefault(name, Arguments.NONE), handle));
            } catch (RuntimeException | LinkageError broken) {
                throw new SettingsException(
                        "initializing plugin \"%s\": %s"
                                .formatted(name, PluginFailure.textOf(broken)),
                        broken);
            }
        }
        var lists = PluginLists.expand(settings, plugins);
        requireSortAndBind(settings.schedulerName(), lists);
        var percentage =
                settings.percentageOfNodesToScore().isPresent()
                        ? settings.percentageOfNodesToScore()
                        : globalPercentage;
        if (percentage.isPresent() && percentage.getAsInt() == 0) {
            percentage = OptionalInt.empty();
        }
        return new Profile(
                settings.schedulerName(),
                plugins,
                lists,
                new NodeSearch(lists, percentage, around),
                around.extenders());
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
    public record Help(@Nullable String nominatedNode) {}

    public boolean hasPostFilters() {
        return !postFilters.isEmpty();
    }

    /// Tries to help a pod that fits nowhere; its message goes into the diagnosis.
    public Help postFilter(CycleState cycle, Pod pod, Diagnosis diagnosis) {
        var reasons = new ArrayList<String>();
        @Nullable String nomination = null;
        for (var plugin : postFilters) {
            PostFilterVerdict verdict;
            try {
                verdict = plugin.postFilter(cycle, pod, diagnosis);
            } catch (RuntimeException | LinkageError broken) {
                // An error ends the round: its text is what the user reads, and what earlier
                // plugins
                // wanted of the nomination is void.
                diagnosis.postFilterMessage(PluginFailure.textOf(broken));
                return new Help(null);
            }
            switch (verdict) {
                case PostFilterVerdict.Nominated(var node) -> {
                    return new Help(node);
                }
                case PostFilterVerdict.Nothing nothing -> {
                    boolean clears = nothing.nomination() == PostFilterVerdict.Nomination.CLEAR;
                    if (nothing.isFinal()) {
                        diagnosis.postFilterMessage(String.join(", ", nothing.reasons()));
                        return new Help(clears ? "" : null);
                    }
                    reasons.addAll(nothing.reasons());
                    nomination = clears ? "" : nomination;
                }
            }
        }
        diagnosis.postFilterMessage(String.join(", ", reasons));
        return new Help(nomination);
    }

    /// Sets aside what the pod needs; the first refusal ends it.
    public @Nullable Rejection reserve(CycleState cycle, Pod pod, String node) {
        for (var plugin : reserves) {
            try {
                if (plugin.reserve(cycle, pod, node) instanceof Refusal refusal) {
                    return new Rejection(plugin.name(), refusal);
                }
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.running(Point.RESERVE, plugin.name(), broken);
            }
        }
        return null;
    }

    /// Gives back, in reverse order. A plugin that breaks does not keep the others from it.
    public void unreserve(CycleState cycle, Pod pod, String node, FailureSink failures) {
        for (var plugin : reserves.reversed()) {
            try {
                plugin.unreserve(cycle, pod, node);
            } catch (RuntimeException | LinkageError broken) {
                failures.failed(plugin.name(), broken);
            }
        }
    }

    /// Where failures go that must not stop the work.
    @FunctionalInterface
    public interface FailureSink {
        void failed(String plugin, Throwable cause);
    }

    /// What the permit plugins decided: a rejection, or the plugins to wait for with their limits
    /// (none: go on at once).
    public record Permission(
            @Nullable Rejection rejection, Map<String, java.time.Duration> waits) {}

    public Permission permit(CycleState cycle, Pod pod, String node) {
        var waits = new LinkedHashMap<String, java.time.Duration>();
        for (var plugin : permits) {
            PermitVerdict verdict;
            try {
                verdict = plugin.permit(cycle, pod, node);
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.running(Point.PERMIT, plugin.name(), broken);
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

    /// The PreBind plugins that will have something to do, in groups that come one after another.
    /// Neighbours that allow it are in one group and run side by side; one that does not separates
    /// them, even where it has nothing to do (E-133).
    public List<List<PreBind>> preBindWork(CycleState cycle, Pod pod, String node) {
        var groups = new ArrayList<List<PreBind>>();
        @Nullable List<PreBind> open = null;
        for (var plugin : preBinds) {
            try {
                boolean isParallel = plugin.allowsParallel();
                if (!isParallel) {
                    open = null;
                }
                if (!plugin.hasWork(cycle, pod, node)) {
                    continue;
                }
                if (open == null) {
                    groups.add(new ArrayList<>());
                }
                groups.getLast().add(plugin);
                open = isParallel ? groups.getLast() : null;
            } catch (RuntimeException | LinkageError broken) {
                throw new PluginFailure(
                        plugin.name(),
                        "running PreBindPreFlight \"%s\": %s"
                                .formatted(plugin.name(), PluginFailure.textOf(broken)),
                        broken);
            }
        }
        return groups;
    }

    public @Nullable Rejection preBind(PreBind plugin, CycleState cycle, Pod pod, String node) {
        try {
            return plugin.preBind(cycle, pod, node) instanceof Refusal refusal
                    ? new Rejection(plugin.name(), refusal)
                    : null;
        } catch (RuntimeException | LinkageError broken) {
            throw PluginFailure.running(Point.PRE_BIND, plugin.name(), broken);
        }
    }

    /// An extender that binds goes first; else the first bind plugin that does not pass the pod on
    /// decides.
    public @Nullable Rejection bind(CycleState cycle, Pod pod, String node) {
        if (extenders.bind(pod, node)) {
            return null;
        }
        for (var plugin : binds) {
            BindVerdict verdict;
            try {
                verdict = plugin.bind(cycle, pod, node);
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.running(Point.BIND, plugin.name(), broken);
            }
            switch (verdict) {
                case Pass _ -> {
                    return null;
                }
                case Refusal refusal -> {
                    return new Rejection(plugin.name(), refusal);
                }
                case Skip _ -> {}
            }
        }
        throw new PluginFailure("", "all Bind plugins skipped the pod", null);
    }

    public void postBind(CycleState cycle, Pod pod, String node, FailureSink failures) {
        for (var plugin : postBinds) {
            try {
                plugin.postBind(cycle, pod, node);
            } catch (RuntimeException | LinkageError broken) {
                failures.failed(plugin.name(), broken);
            }
        }
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
