package io.berth.engine.profile;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PreBind;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.Pass;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Skip;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.FailureSink;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.PluginLists;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.Rejection;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import io.berth.engine.search.Extenders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The extension points of a profile that a placed pod passes on its way to its node: PreBind, Bind
/// and PostBind (rule E-133).
///
/// Run on the pod's binding thread, except for [#preBindWork], which is for the engine thread.
public final class BindingPoints {
    private final Extenders extenders;
    private final Meter meter;
    private final List<Seat<PreBind>> preFlights;
    private final List<Seat<PreBind>> preBinds;
    private final List<Seat<Bind>> binds;
    private final List<Seat<PostBind>> postBinds;
    private final boolean isSingleWrite;
    private final Set<PreBind> writers = Collections.newSetFromMap(new IdentityHashMap<>());

    BindingPoints(PluginLists lists, Extenders extenders, Meter meter) {
        this.extenders = extenders;
        this.meter = meter;
        var preBinding = lists.at(Point.PRE_BIND, PreBind.class);
        var binding = lists.at(Point.BIND, Bind.class);
        this.isSingleWrite = !extenders.canBind() && binding.stream().allMatch(Bind::isSingleWrite);
        preBinding.stream().filter(PreBind::onlyWrites).forEach(writers::add);
        this.preFlights =
                meter.seats(
                        preBinding,
                        TimedPoint.PRE_BIND_PRE_FLIGHT,
                        BindingPoints::preFlightFailure);
        this.preBinds = meter.seats(preBinding, TimedPoint.PRE_BIND, Point.PRE_BIND);
        this.binds = meter.seats(binding, TimedPoint.BIND, Point.BIND);
        this.postBinds =
                meter.seats(
                        lists.at(Point.POST_BIND, PostBind.class),
                        TimedPoint.POST_BIND,
                        Point.POST_BIND);
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
            for (var seat : preFlights) {
                boolean isParallel = allowsParallel(seat.plugin());
                if (!isParallel) {
                    open = null;
                }
                if (!hasPreBindWork(seat, cycle, pod, node)) {
                    continue;
                }
                if (open == null) {
                    groups.add(new ArrayList<>());
                }
                groups.getLast().add(seat.plugin());
                open = isParallel ? groups.getLast() : null;
            }
            status = groups.isEmpty() ? StatusCode.SKIP : StatusCode.SUCCESS;
            return groups;
        } finally {
            meter.end(TimedPoint.PRE_BIND_PRE_FLIGHT, status, begin);
        }
    }

    private static boolean allowsParallel(PreBind plugin) {
        try {
            return plugin.allowsParallel();
        } catch (Throwable broken) {
            throw preFlightFailure(plugin.name(), broken);
        }
    }

    private static boolean hasPreBindWork(
            Seat<PreBind> seat, CycleState cycle, Pod pod, String node) {
        return seat.ask(
                cycle,
                plugin -> plugin.hasWork(cycle, pod, node),
                hasWork -> hasWork ? StatusCode.SUCCESS : StatusCode.SKIP);
    }

    private static PluginFailure preFlightFailure(String plugin, Throwable broken) {
        return new PluginFailure(
                plugin,
                "running PreBindPreFlight \"%s\": %s"
                        .formatted(plugin, PluginFailure.textOf(broken)),
                broken);
    }

    /// Whether a pod without work for PreBind is bound by a single write to the API server.
    public boolean isSingleWrite() {
        return isSingleWrite;
    }

    /// Whether the pod waits for nothing but writes, those that prepare its binding included.
    public boolean areWritesAlone(List<List<PreBind>> work) {
        return isSingleWrite && work.stream().allMatch(writers::containsAll);
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

    public PreBindVerdict preBind(PreBind plugin, CycleState cycle, Pod pod, String node) {
        return seatOf(plugin).ask(cycle, it -> it.preBind(cycle, pod, node), StatusCode::ofVerdict);
    }

    private Seat<PreBind> seatOf(PreBind plugin) {
        for (var seat : preBinds) {
            if (seat.plugin().equals(plugin)) {
                return seat;
            }
        }
        throw new IllegalStateException(plugin.name() + " has no seat at PreBind");
    }

    /// An extender that binds goes first; else the first bind plugin that does not pass the pod on
    /// decides.
    public @Nullable Rejection bind(CycleState cycle, Pod pod, String node) {
        long begin = meter.begin();
        var status = StatusCode.ERROR;
        try {
            if (extenders.bind(pod, node)) {
                status = StatusCode.SUCCESS;
                return null;
            }
            for (var seat : binds) {
                BindVerdict verdict =
                        seat.ask(
                                cycle,
                                plugin -> plugin.bind(cycle, pod, node),
                                said ->
                                        said instanceof Skip
                                                ? StatusCode.SKIP
                                                : StatusCode.ofVerdict(said));
                switch (verdict) {
                    case Pass _ -> {
                        status = StatusCode.SUCCESS;
                        return null;
                    }
                    case Refusal refusal -> {
                        status = StatusCode.of(refusal);
                        return new Rejection(seat.name(), refusal);
                    }
                    case Skip _ -> {}
                }
            }
            throw new PluginFailure("", "all Bind plugins skipped the pod", null);
        } finally {
            meter.end(TimedPoint.BIND, status, begin);
        }
    }

    public void postBind(CycleState cycle, Pod pod, String node, FailureSink failures) {
        if (postBinds.isEmpty()) {
            meter.nothingToDo(TimedPoint.POST_BIND);
            return;
        }
        long begin = meter.begin();
        for (var seat : postBinds) {
            seat.tell(cycle, plugin -> plugin.postBind(cycle, pod, node), failures);
        }
        meter.end(TimedPoint.POST_BIND, StatusCode.SUCCESS, begin);
    }
}
