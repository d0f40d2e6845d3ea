package io.berth.engine.cycle;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.Recorder;
import io.berth.engine.framework.Rejection;
import io.berth.engine.port.AttemptResult;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.StatusCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Brings placed pods to their nodes: wait for permit, preBind, bind, postBind (rules E-105,
/// E-106).
///
/// ```
///  engine thread                         binding thread (one per pod)
///  start ─┬─ nothing to wait for ───────────────────────────► bind, postBind ─┐
///         └─ else ──────────────────► say which node to expect ─┐             │
///            permit awaited ◄───────────────────────────────────┘             │
///            permitted ─────────────────────► preBind, bind, postBind ────────┤
///  finish ◄───────────────────────────────────────────────────────────────────┘
/// ```
///
/// Everything but the binding threads' own work happens on the engine thread; results come back as
/// messages.
///
/// Bindings that are a single write stand in line for the API server. While the line is long, no
/// further pod is tried, so that what matters more is not kept behind what came first.
public final class BindingCycle {
    private static final ClusterEvent PLACE_FREED =
            ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);

    private final Workplace at;
    private final Unplaced unplaced;
    private final WaitingPods waiting;
    private final PreparingPods preparing;
    private final Map<String, Placed> underWay = new HashMap<>();
    private final BindingLine line;

    public BindingCycle(
            Unplaced unplaced,
            WaitingPods waiting,
            PreparingPods preparing,
            int longestLine,
            Workplace at) {
        this.line = new BindingLine(longestLine);
        this.unplaced = unplaced;
        this.waiting = waiting;
        this.preparing = preparing;
        this.at = at;
    }

    /// How many pods are between their reservation and the end of their binding.
    public int underWay() {
        return underWay.size();
    }

    /// Whether the API server has as much to write as is good.
    public boolean isLineFull() {
        return line.isFull();
    }

    /// When something is due even without a message.
    public long nextDeadlineMillis() {
        return line.nextDeadlineMillis();
    }

    /// Has nobody wait any longer for bindings that are not answered.
    public void expire() {
        line.expire(at.time().nowMillis());
    }

    void start(Placed placed, Map<String, Duration> waits) {
        underWay.put(placed.pod().uid(), placed);
        at.metrics().running(EngineMetrics.BINDING, 1);
        var attempt = placed.attempt();
        List<List<PreBind>> work;
        try {
            work =
                    attempt.profile()
                            .binding()
                            .preBindWork(attempt.cycle(), placed.pod(), placed.node());
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            failed(placed, Failure.broken(broken));
            return;
        }
        if (waits.isEmpty() && work.isEmpty()) {
            permitted(placed, work);
            return;
        }
        if (!waits.isEmpty()) {
            waiting.add(placed.pod(), waits);
        }
        at.tasks()
                .start(
                        "nominate " + placed.pod().key(),
                        () -> {
                            nominate(placed);
                            post(() -> awaitPermit(placed, work, !waits.isEmpty()));
                        });
    }

    /// Binding thread: tells the world which node to expect, since the binding may take a while.
    private void nominate(Placed placed) {
        try {
            at.writes().patchStatus(placed.attempt().pod(), null, placed.node());
        } catch (RuntimeException refused) {
            at.log()
                    .error(
                            refused,
                            "Failed to update the nominated node name in the binding cycle",
                            "pod",
                            placed.pod().key(),
                            "nominatedNodeName",
                            placed.node());
        }
    }

    private void awaitPermit(Placed placed, List<List<PreBind>> work, boolean waits) {
        long begin = at.time().nanos();
        waiting.whenDecided(
                placed.pod().uid(),
                decision -> {
                    if (waits) {
                        at.metrics().permitWaited(codeOf(decision), at.time().nanos() - begin);
                    }
                    if (decision instanceof WaitingPods.Decision.Allowed) {
                        permitted(placed, work);
                    } else if (decision instanceof WaitingPods.Decision.Rejected(var rejection)) {
                        failed(placed, Failure.refusedPlace(rejection));
                    } else if (decision instanceof WaitingPods.Decision.Preempted(var message)) {
                        failed(placed, Failure.broken("waiting on permit for pod: " + message));
                    }
                });
    }

    private static StatusCode codeOf(WaitingPods.Decision decision) {
        return switch (decision) {
            case WaitingPods.Decision.Allowed _ -> StatusCode.SUCCESS;
            case WaitingPods.Decision.Rejected _ -> StatusCode.UNSCHEDULABLE;
            case WaitingPods.Decision.Preempted _ -> StatusCode.ERROR;
        };
    }

    private void permitted(Placed placed, List<List<PreBind>> work) {
        // From here on a failure can no longer be answered by an event that came meanwhile.
        at.queue().done(placed.pod().uid());
        if (work.isEmpty() && placed.attempt().profile().binding().isSingleWrite()) {
            line.join(placed.pod().uid(), at.time().nowMillis());
        }
        new Preparation(placed, work, preparing, at, failure -> prepared(placed, failure)).start();
    }

    /// Binding thread.
    private void prepared(Placed placed, @Nullable Failure failure) {
        if (failure == null) {
            bind(placed);
        } else {
            post(() -> failed(placed, failure));
        }
    }

    /// Binding thread.
    private void bind(Placed placed) {
        var attempt = placed.attempt();
        try {
            if (at.log().isOn(3)) {
                at.log()
                        .info(
                                3,
                                "Attempting to bind pod to node",
                                "pod",
                                placed.pod().key(),
                                "node",
                                placed.node());
            }
            @Nullable Rejection refused =
                    attempt.profile().binding().bind(attempt.cycle(), placed.pod(), placed.node());
            if (refused != null) {
                var failure = Failure.refusedBinding(refused);
                post(() -> failed(placed, failure));
                return;
            }
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            at.log().error(broken, "Failed to bind pod", "pod", placed.pod().key());
            post(() -> failed(placed, Failure.broken(broken)));
            return;
        }
        attempt.profile()
                .binding()
                .postBind(
                        attempt.cycle(),
                        placed.pod(),
                        placed.node(),
                        (plugin, cause) ->
                                at.log()
                                        .error(
                                                cause,
                                                "PostBind failed",
                                                "pod",
                                                placed.pod().key(),
                                                "plugin",
                                                plugin));
        post(() -> bound(placed));
    }

    private void post(Runnable onEngineThread) {
        at.onEngine().execute(onEngineThread);
    }

    private void bound(Placed placed) {
        ended(placed);
        var attempt = placed.attempt();
        var info = attempt.info();
        if (at.log().isOn(2)) {
            at.log()
                    .info(
                            2,
                            "Successfully bound pod to node",
                            "pod",
                            placed.pod().key(),
                            "node",
                            placed.node(),
                            "evaluatedNodes",
                            placed.evaluatedNodes(),
                            "feasibleNodes",
                            placed.feasibleNodes());
        }
        at.recorder()
                .record(
                        new Recorder.Event(
                                placed.pod(),
                                Recorder.Type.NORMAL,
                                "Scheduled",
                                "Binding",
                                "Successfully assigned "
                                        + placed.pod().key()
                                        + " to "
                                        + placed.node(),
                                attempt.profile().name()));
        long now = at.time().nowMillis();
        attempt.profile()
                .metrics()
                .attempt(AttemptResult.SCHEDULED, at.time().nanos() - attempt.startedNanos());
        at.metrics()
                .podScheduled(
                        info.attempts(),
                        (now - info.initialAttemptMillis().orElse(now)) * 1_000_000L,
                        info.wasFlushed());
        at.queue().activate(attempt.cycle().takePodsToActivate());
    }

    private void ended(Placed placed) {
        underWay.remove(placed.pod().uid());
        line.leave(placed.pod().uid());
        at.metrics().running(EngineMetrics.BINDING, -1);
    }

    /// The binding came to nothing: give the place back, wake those who may want it, and return the
    /// pod. A refused pod must not wake itself, a broken one may.
    private void failed(Placed placed, Failure failure) {
        ended(placed);
        boolean freed = Reservation.undo(placed, at.state(), at.log());
        if (failure.isRejection()) {
            unplaced.handle(placed.attempt(), failure, "");
            if (freed) {
                at.queue()
                        .moveAll(
                                PLACE_FREED,
                                placed.pod(),
                                null,
                                pod -> !pod.uid().equals(placed.pod().uid()));
            }
        } else {
            if (freed) {
                at.queue().moveAll(PLACE_FREED, placed.pod(), null, pod -> true);
            }
            unplaced.handle(placed.attempt(), failure, "");
        }
    }
}
