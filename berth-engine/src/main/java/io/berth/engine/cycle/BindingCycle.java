package io.berth.engine.cycle;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Awaited;
import io.berth.api.plugin.PreBind;
import io.berth.api.verdict.Refusal;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.message.Message;
import io.berth.engine.message.Permission;
import io.berth.engine.message.Setback;
import io.berth.engine.port.AttemptResult;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.StatusCode;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings placed pods to their nodes: wait for permit, preBind, bind, postBind (rules E-105,
/// E-106).
///
/// ```
///  engine thread                         binding thread (one per pod)
///  bind, nothing to wait for ───────────────────────────────► bind, postBind ─┐
///  prepare, else: say which node to expect (StatusWrites)                     │
///            permit awaited                                                   │
///            permitted ─────────────────────► preBind, bind, postBind ────────┤
///  finish ◄───────────────────────────────────────────────────────────────────┘
/// ```
///
/// Everything but the binding threads' own work happens on the engine thread; they are [Errands],
/// whose outcomes come back as messages.
///
/// Bindings that are a few writes stand in line for the API server, until they have to wait for
/// others. While the line is long, no further pod is tried, so that what matters more is not kept
/// behind what came first.
public final class BindingCycle implements Preparation.Waiting {
    private static final ClusterEvent PLACE_FREED =
            ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);

    private final AttemptContext context;
    private final Unplaced unplaced;
    private final StatusWrites statuses;
    private final WaitingPods waiting;
    private final PreparingPods preparing;
    private final Set<Placed> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

    /// Pods that have everything but their permit, by uid.
    private final Map<String, Awaiting> awaiting = new HashMap<>();

    private final BindingLine line;
    private final Lookouts lookouts = new Lookouts();

    /// Pods that are being prepared, by uid.
    private final Set<String> prepared = new HashSet<>();

    /// What the preparation of a pod was stopped with, by uid.
    private final Map<String, String> cancelled = new HashMap<>();

    /// @param waits whether a plugin asked for time
    private record Awaiting(
            Placed placed, List<List<PreBind>> work, boolean waits, long sinceNanos) {}

    public BindingCycle(
            Unplaced unplaced,
            StatusWrites statuses,
            WaitingPods waiting,
            PreparingPods preparing,
            int longestLine,
            AttemptContext context) {
        this.line = new BindingLine(longestLine);
        this.unplaced = unplaced;
        this.statuses = statuses;
        this.waiting = waiting;
        this.preparing = preparing;
        this.context = context;
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
        return Math.min(line.nextDeadlineMillis(), lookouts.nextMillis());
    }

    /// Has nobody wait any longer for bindings that are not answered, and looks for what the others
    /// wait for.
    public void expire() {
        long now = context.time().nowMillis();
        line.expire(now);
        lookouts.look(now);
    }

    /// The preparation of a pod was stopped. What a thread does of it ends by itself.
    public void preBindCancelled(String podUid, String message) {
        if (prepared.contains(podUid)) {
            cancelled.putIfAbsent(podUid, message);
            lookouts.cancel(podUid, new Setback(false, message));
        }
    }

    @Override
    public void await(
            String podUid, String plugin, Awaited awaited, Consumer<@Nullable Setback> then) {
        line.leave(podUid);
        var before = cancelled.get(podUid);
        if (before == null) {
            lookouts.begin(podUid, plugin, awaited, context.time().nowMillis(), then);
        } else {
            then.accept(new Setback(false, before));
        }
    }

    @Override
    public void cancel(String podUid, Setback problem) {
        lookouts.cancel(podUid, problem);
    }

    /// A pod has a place that it is to be brought to.
    ///
    /// @return what PreBind plugins have to do first; null where that cannot be found out, and the
    ///   place is given back
    @Nullable List<List<PreBind>> begin(Placed placed) {
        underWay.add(placed);
        context.metrics().running(EngineMetrics.BINDING, 1);
        var attempt = placed.attempt();
        try {
            return attempt.profile()
                    .binding()
                    .preBindWork(attempt.cycle(), placed.pod(), placed.node());
        } catch (Throwable broken) {
            failed(placed, Failure.broken(broken));
            return null;
        }
    }

    /// Binds a pod once its permit has come and its work is done.
    ///
    /// @param waits how long plugins that asked for time get
    void prepare(Placed placed, List<List<PreBind>> work, Map<String, Duration> waits) {
        var attempt = placed.attempt();
        if (!waits.isEmpty()) {
            waiting.add(placed.pod(), attempt.number(), waits);
        } else if (attempt.profile().binding().areWritesAlone(work)) {
            line.join(placed.pod().uid(), context.time().nowMillis());
        }
        // The world is told which node to expect, since the binding may take a while.
        statuses.nominate(
                attempt.pod(),
                placed.node(),
                problem -> {
                    if (problem != null) {
                        tellNotNominated(placed, problem);
                    }
                    awaitPermit(placed, work, !waits.isEmpty());
                });
    }

    private void tellNotNominated(Placed placed, String problem) {
        context.log()
                .error(
                        null,
                        "Failed to update the nominated node name in the binding cycle",
                        "pod",
                        placed.pod().key(),
                        "nominatedNodeName",
                        placed.node(),
                        "err",
                        problem);
    }

    private void awaitPermit(Placed placed, List<List<PreBind>> work, boolean waits) {
        if (underWay.contains(placed)) {
            awaiting.put(
                    placed.pod().uid(), new Awaiting(placed, work, waits, context.time().nanos()));
            goOn(placed.pod().uid());
        }
    }

    /// Somebody said whether a pod may go on.
    public void permitDecided(Message.PermitDecided word) {
        waiting.told(word);
        goOn(word.podUid());
    }

    /// Goes on with a pod whose permit is decided, unless it has not got so far yet.
    private void goOn(String podUid) {
        var pod = awaiting.get(podUid);
        var decision = waiting.decisionOn(podUid);
        if (pod == null || decision == null) {
            return;
        }
        awaiting.remove(podUid);
        waiting.drop(podUid);
        var permission = decision.permission();
        if (pod.waits) {
            context.metrics()
                    .permitWaited(codeOf(permission), context.time().nanos() - pod.sinceNanos);
        }
        switch (permission) {
            case Permission.Allowed _ -> permitted(pod.placed, pod.work);
            case Permission.Rejected(var message) ->
                    failed(
                            pod.placed,
                            Failure.refusedPlace(
                                    new Rejection(decision.plugin(), Refusal.mayPreempt(message))));
            case Permission.Preempted(var message) ->
                    failed(pod.placed, Failure.broken("waiting on permit for pod: " + message));
        }
    }

    private static StatusCode codeOf(Permission permission) {
        return switch (permission) {
            case Permission.Allowed _ -> StatusCode.SUCCESS;
            case Permission.Rejected _ -> StatusCode.UNSCHEDULABLE;
            case Permission.Preempted _ -> StatusCode.ERROR;
        };
    }

    private void permitted(Placed placed, List<List<PreBind>> work) {
        if (work.isEmpty()) {
            bind(placed);
            return;
        }
        context.queue().done(placed.pod().uid());
        statuses.beforeBinding(
                placed.pod(),
                () -> {
                    prepared.add(placed.pod().uid());
                    new Preparation(
                                    placed,
                                    work,
                                    preparing,
                                    context,
                                    this,
                                    errand -> bindNow(errand, placed),
                                    outcome -> finished(placed, outcome))
                            .start();
                });
    }

    /// The ordinary binding: nothing to prepare, one errand.
    void bind(Placed placed) {
        var uid = placed.pod().uid();
        // From here on a failure can no longer be answered by an event that came meanwhile.
        context.queue().done(uid);
        var points = placed.attempt().profile().binding();
        if (points.isSingleWrite()) {
            line.join(uid, context.time().nowMillis());
        }
        statuses.beforeBinding(
                placed.pod(),
                () ->
                        context.errands()
                                .start(
                                        "bind " + placed.pod().key(),
                                        errand -> {
                                            points.nothingToPreBind();
                                            return bindNow(errand, placed);
                                        },
                                        outcome -> finished(placed, outcome)));
    }

    /// Binding thread.
    private Message.Outcome bindNow(long errand, Placed placed) {
        var attempt = placed.attempt();
        var points = attempt.profile().binding();
        try {
            if (context.log().isOn(3)) {
                context.log()
                        .info(
                                3,
                                "Attempting to bind pod to node",
                                "pod",
                                placed.pod().key(),
                                "node",
                                placed.node());
            }
            @Nullable Rejection refused = points.bind(attempt.cycle(), placed.pod(), placed.node());
            if (refused != null) {
                return new Message.BindingFailed(errand, new Setback(true, refused.message()));
            }
        } catch (Throwable broken) {
            context.log().error(broken, "Failed to bind pod", "pod", placed.pod().key());
            return new Message.BindingFailed(
                    errand, new Setback(false, PluginFailure.textOf(broken)));
        }
        points.postBind(
                attempt.cycle(),
                placed.pod(),
                placed.node(),
                (plugin, cause) ->
                        context.log()
                                .error(
                                        cause,
                                        "PostBind failed",
                                        "pod",
                                        placed.pod().key(),
                                        "plugin",
                                        plugin));
        return new Message.Bound(errand, attempt.cycle().takePodsToActivate());
    }

    private void finished(Placed placed, Message.Outcome outcome) {
        switch (outcome) {
            case Message.Bound(_, var toActivate) -> bound(placed, toActivate);
            case Message.BindingFailed(_, var why) -> failed(placed, Failure.of(why));
            case Message.Failed(_, var problem) -> failed(placed, Failure.broken(problem));
            case Message.Prepared _, Message.StatusWritten _ ->
                    throw new IllegalStateException("no end of a binding: " + outcome);
        }
    }

    private void bound(Placed placed, List<Pod> toActivate) {
        if (!ended(placed)) {
            return;
        }
        var attempt = placed.attempt();
        var info = attempt.info();
        if (context.log().isOn(2)) {
            context.log()
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
        context.recorder()
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
        long now = context.time().nowMillis();
        attempt.profile()
                .metrics()
                .attempt(AttemptResult.SCHEDULED, context.time().nanos() - attempt.startedNanos());
        context.metrics()
                .podScheduled(
                        info.attempts(),
                        (now - info.initialAttemptMillis().orElse(now)) * 1_000_000L,
                        info.wasFlushed());
        context.queue().activate(toActivate);
    }

    /// Nothing of the binding stays behind, however it ended.
    ///
    /// @return false where its end was told before; the first word stands
    private boolean ended(Placed placed) {
        if (!underWay.remove(placed)) {
            return false;
        }
        var uid = placed.pod().uid();
        awaiting.remove(uid);
        waiting.drop(uid);
        preparing.end(uid);
        prepared.remove(uid);
        cancelled.remove(uid);
        line.leave(uid);
        context.metrics().running(EngineMetrics.BINDING, -1);
        return true;
    }

    /// The binding came to nothing: give the place back, wake those who may want it, and return the
    /// pod. A refused pod must not wake itself, a broken one may.
    private void failed(Placed placed, Failure failure) {
        if (!ended(placed)) {
            return;
        }
        boolean freed = Reservation.undo(placed, context);
        if (failure.isRejection()) {
            unplaced.handle(placed.attempt(), failure, "");
            if (freed) {
                context.queue()
                        .moveAll(
                                PLACE_FREED,
                                placed.pod(),
                                null,
                                pod -> !pod.uid().equals(placed.pod().uid()));
            }
        } else {
            if (freed) {
                context.queue().moveAll(PLACE_FREED, placed.pod(), null, pod -> true);
            }
            unplaced.handle(placed.attempt(), failure, "");
        }
    }
}
