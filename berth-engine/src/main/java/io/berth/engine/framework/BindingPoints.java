package io.berth.engine.framework;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.BindVerdict;
import io.berth.api.plugin.Pass;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Skip;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The extension points of a profile that a placed pod passes on its way to its node: PreBind, Bind
/// and PostBind (rule E-133).
///
/// Run on the pod's binding thread, except for [#preBindWork], which is for the engine thread.
public final class BindingPoints {
    private final Extenders extenders;
    private final Meter meter;
    private final List<PreBind> preBinds;
    private final List<Bind> binds;
    private final List<PostBind> postBinds;
    private final boolean isSingleWrite;
    private final PluginMetrics[] preFlightMetrics;
    private final PluginMetrics[] preBindMetrics;
    private final PluginMetrics[] bindMetrics;
    private final PluginMetrics[] postBindMetrics;

    BindingPoints(PluginLists lists, Extenders extenders, Meter meter) {
        this.extenders = extenders;
        this.meter = meter;
        this.preBinds = lists.at(Point.PRE_BIND, PreBind.class);
        this.binds = lists.at(Point.BIND, Bind.class);
        this.postBinds = lists.at(Point.POST_BIND, PostBind.class);
        this.isSingleWrite = !extenders.canBind() && binds.stream().allMatch(Bind::isSingleWrite);
        this.preFlightMetrics = meter.plugins(preBinds, TimedPoint.PRE_BIND_PRE_FLIGHT);
        this.preBindMetrics = meter.plugins(preBinds, TimedPoint.PRE_BIND);
        this.bindMetrics = meter.plugins(binds, TimedPoint.BIND);
        this.postBindMetrics = meter.plugins(postBinds, TimedPoint.POST_BIND);
    }

    /// The PreBind plugins that will have something to do, in groups that come one after another.
    /// Neighbours that allow it are in one group and run side by side; one that does not separates
    /// them, even where it has nothing to do (E-133).
    public List<List<PreBind>> preBindWork(CycleState cycle, Pod pod, String node) {
        long begin = meter.begin();
        var status = StatusCode.ERROR;
        try {
            var groups = new ArrayList<List<PreBind>>();
            @Nullable List<PreBind> open = null;
            for (int i = 0; i < preBinds.size(); i++) {
                boolean isParallel = allowsParallel(i);
                if (!isParallel) {
                    open = null;
                }
                if (!hasPreBindWork(i, cycle, pod, node)) {
                    continue;
                }
                if (open == null) {
                    groups.add(new ArrayList<>());
                }
                groups.getLast().add(preBinds.get(i));
                open = isParallel ? groups.getLast() : null;
            }
            status = groups.isEmpty() ? StatusCode.SKIP : StatusCode.SUCCESS;
            return groups;
        } finally {
            meter.end(TimedPoint.PRE_BIND_PRE_FLIGHT, status, begin);
        }
    }

    private boolean allowsParallel(int index) {
        try {
            return preBinds.get(index).allowsParallel();
        } catch (RuntimeException | LinkageError broken) {
            throw preFlightFailure(preBinds.get(index), broken);
        }
    }

    private boolean hasPreBindWork(int index, CycleState cycle, Pod pod, String node) {
        long begin = meter.beginPlugin(cycle);
        var status = StatusCode.ERROR;
        try {
            boolean hasWork = preBinds.get(index).hasWork(cycle, pod, node);
            status = hasWork ? StatusCode.SUCCESS : StatusCode.SKIP;
            return hasWork;
        } catch (RuntimeException | LinkageError broken) {
            throw preFlightFailure(preBinds.get(index), broken);
        } finally {
            meter.endPlugin(preFlightMetrics[index], status, begin);
        }
    }

    private static PluginFailure preFlightFailure(PreBind plugin, Throwable broken) {
        return new PluginFailure(
                plugin.name(),
                "running PreBindPreFlight \"%s\": %s"
                        .formatted(plugin.name(), PluginFailure.textOf(broken)),
                broken);
    }

    /// Whether a pod without work for PreBind is bound by a single write to the API server.
    public boolean isSingleWrite() {
        return isSingleWrite;
    }

    /// There is no work for PreBind.
    public void nothingToPreBind() {
        meter.nothingToDo(TimedPoint.PRE_BIND);
    }

    /// Begins the whole of PreBind, which ends with [#preBindEnded].
    public long preBindBegins() {
        return meter.begin();
    }

    /// @param begin what [#preBindBegins] said
    public void preBindEnded(StatusCode status, long begin) {
        meter.end(TimedPoint.PRE_BIND, status, begin);
    }

    public @Nullable Rejection preBind(PreBind plugin, CycleState cycle, Pod pod, String node) {
        long begin = meter.beginPlugin(cycle);
        var status = StatusCode.ERROR;
        try {
            var verdict = plugin.preBind(cycle, pod, node);
            status = StatusCode.ofVerdict(verdict);
            return verdict instanceof Refusal refusal
                    ? new Rejection(plugin.name(), refusal)
                    : null;
        } catch (RuntimeException | LinkageError broken) {
            throw PluginFailure.running(Point.PRE_BIND, plugin.name(), broken);
        } finally {
            meter.endPlugin(preBindMetrics[preBinds.indexOf(plugin)], status, begin);
        }
    }

    /// An extender that binds goes first; else the first bind plugin that does not pass the pod on
    /// decides.
    public @Nullable Rejection bind(CycleState cycle, Pod pod, String node) {
        long begin = meter.begin();
        var status = StatusCode.ERROR;
        try {
            var rejection = extenders.bind(pod, node) ? null : askBinds(cycle, pod, node);
            status = rejection == null ? StatusCode.SUCCESS : StatusCode.of(rejection.refusal());
            return rejection;
        } finally {
            meter.end(TimedPoint.BIND, status, begin);
        }
    }

    private @Nullable Rejection askBinds(CycleState cycle, Pod pod, String node) {
        for (int i = 0; i < binds.size(); i++) {
            var plugin = binds.get(i);
            long begin = meter.beginPlugin(cycle);
            var status = StatusCode.ERROR;
            BindVerdict verdict;
            try {
                verdict = plugin.bind(cycle, pod, node);
                status = verdict instanceof Skip ? StatusCode.SKIP : StatusCode.ofVerdict(verdict);
            } catch (RuntimeException | LinkageError broken) {
                throw PluginFailure.running(Point.BIND, plugin.name(), broken);
            } finally {
                meter.endPlugin(bindMetrics[i], status, begin);
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
        if (postBinds.isEmpty()) {
            meter.nothingToDo(TimedPoint.POST_BIND);
            return;
        }
        long begin = meter.begin();
        for (int i = 0; i < postBinds.size(); i++) {
            var plugin = postBinds.get(i);
            long beginPlugin = meter.beginPlugin(cycle);
            try {
                plugin.postBind(cycle, pod, node);
            } catch (RuntimeException | LinkageError broken) {
                failures.failed(plugin.name(), broken);
            }
            meter.endPlugin(postBindMetrics[i], StatusCode.SUCCESS, beginPlugin);
        }
        meter.end(TimedPoint.POST_BIND, StatusCode.SUCCESS, begin);
    }
}
