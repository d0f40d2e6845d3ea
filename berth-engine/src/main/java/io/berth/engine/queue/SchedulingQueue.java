package io.berth.engine.queue;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.handle.Log;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.QueueSort;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.TimeSource;
import io.berth.engine.queue.Wakeups.Strategy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Pods that wait for a place: active, backing off, parked.
///
/// Owned by the engine thread. No method blocks: the loop asks [#nextDeadlineMillis] how long it
/// may sleep, calls both flush methods when it wakes, and [#pop] returns null while no pod is
/// ready.
///
/// ```
///   add ──► active ──pop──► in flight ──done──► (placed or gone)
///             ▲                │ returnFailed
///             │                ▼
///        backing off ◄──── parked  ◄─ events, updates and time move pods up
/// ```
///
/// A pod in flight is in no part of the queue; the events of that time are kept for it, so a change
/// that helps is not missed between its pop and its return.
public final class SchedulingQueue implements AutoCloseable {
    /// A pod that comes later is not told its turn: counting would take the engine's time.
    static final int MOST_BEFORE = 10_000;

    private static final String POD_ADDED =
            ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.ADD).label();
    private static final String POD_UPDATED =
            ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE).label();

    /// What the queue needs from around it.
    public record Ports(KnownPods pods, TimeSource time, Log log, QueueMetrics metrics) {}

    /// How many pods are where.
    ///
    /// @param unschedulable parked and not gated
    public record Counts(int active, int backoff, int unschedulable, int gated, int inFlight) {}

    private final TimeSource time;
    private final Log log;
    private final QueueMetrics metrics;
    private final Wakeups wakeups;
    private final SubQueues subQueues;
    private final InFlight inFlight;
    private final Nominator nominator;
    private final Leftovers leftovers;
    private final Arrivals arrivals;
    private long schedulingCycle;
    private long moveRequestCycle = -1;
    private boolean closed;

    /// @param sort of the first profile
    public SchedulingQueue(
            QueueSettings settings,
            Collection<QueueProfile> profiles,
            QueueSort sort,
            Ports ports) {
        this.time = ports.time();
        this.log = ports.log();
        this.metrics = ports.metrics();
        Map<String, QueueProfile> byName = new LinkedHashMap<>();
        profiles.forEach(profile -> byName.put(profile.name(), profile));
        this.wakeups = new Wakeups(byName, time, log, metrics);
        this.subQueues =
                new SubQueues(settings, sort, new Gates(byName, time, log, metrics), ports);
        this.inFlight = new InFlight(metrics, InFlight.MAX_EVENTS);
        this.nominator = new Nominator(ports.pods(), subQueues.byKey(), log);
        this.arrivals = new Arrivals(time);
        this.leftovers =
                new Leftovers(subQueues.parked(), settings.maxTimeParked(), time.nowMillis());
    }

    public Nominator nominator() {
        return nominator;
    }

    /// The first list of pods begins or has ended: its pods come in no order of their own.
    public void listing(boolean listing) {
        arrivals.listing(listing);
    }

    /// A new pod without a node.
    public void add(Pod pod) {
        enter(pod, POD_ADDED);
    }

    private void enter(Pod pod, String event) {
        var namesake = subQueues.find(pod.key());
        if (namesake != null) {
            drop(namesake);
        }
        var info = arrivals.entry(pod);
        subQueues.toActive(info, event);
        if (!info.isGated()) {
            nominator.nominateByStatus(pod);
        }
    }

    /// A pod without a node has changed.
    public void update(Pod before, Pod after) {
        if (inFlight.contains(after.uid())) {
            // It is judged when it comes back, and then in its newest form.
            PodChanges.between(before, after)
                    .forEach(change -> inFlight.record(change, before, after));
            return;
        }
        var info = subQueues.find(before.key());
        if (info != null && !info.pod().uid().equals(after.uid())) {
            // One pod went and another of the same name came, told as one change.
            drop(info);
            info = null;
        }
        if (info == null) {
            enter(after, POD_UPDATED);
            return;
        }
        info.update(after);
        nominator.update(before, after);
        if (info.subQueue() == SubQueue.PARKED) {
            wakeByOwnChange(info, before, after);
        } else {
            subQueues.reorder(info);
        }
    }

    private void wakeByOwnChange(QueuedPodInfo info, Pod before, Pod after) {
        wakeups.beginRound();
        for (var change : PodChanges.between(before, after)) {
            var strategy = wakeups.judge(info, change, before, after);
            if (strategy != Strategy.SKIP) {
                subQueues.put(info, strategy, change.label());
            }
            if (info.subQueue() != SubQueue.PARKED) {
                return;
            }
        }
    }

    /// A pod without a node is gone, or has got a node.
    public void delete(Pod pod) {
        nominator.remove(pod);
        var info = subQueues.find(pod.key());
        if (info != null) {
            drop(info);
        }
    }

    private void drop(QueuedPodInfo info) {
        nominator.remove(info.pod());
        subQueues.takeOut(info);
        countRefusals(info, -1);
    }

    /// Takes the next pod to try, or null while none is ready or when the queue is closed.
    ///
    /// When no pod is active, a refused pod that backs off is taken before its time (unless the
    /// settings say no). Each popped pod must come to an end: [#returnFailed] or [#done].
    public @Nullable QueuedPodInfo pop() {
        while (!closed) {
            var info = subQueues.takeNext();
            if (info == null) {
                return null;
            }
            info.popped();
            countRefusals(info, -1);
            if (inFlight.add(info.pod().uid())) {
                info.startCycle(++schedulingCycle);
                return info;
            }
            log.error(
                    null,
                    "Discarding the popped pod",
                    "err",
                    "the same pod is tracked in multiple places in the scheduler: " + info.key());
        }
        return null;
    }

    /// Whether [#pop] would find a pod.
    public boolean isReady() {
        return !closed && subQueues.hasNext();
    }

    /// The number of the current attempt, counted over all pods.
    public long schedulingCycle() {
        return schedulingCycle;
    }

    /// Changes with what is in the queue.
    public long version() {
        return arrivals.count() + schedulingCycle + subQueues.moves() + nominator.changes();
    }

    /// The attempt during which an event last moved pods, -1 before the first.
    public long moveRequestCycle() {
        return moveRequestCycle;
    }

    /// The attempt of a popped pod is over and the pod does not come back. Harmless when repeated.
    public void done(String podUid) {
        inFlight.done(podUid);
    }

    /// Takes a pod back whose attempt failed. Its newest form and its rejectors are already noted
    /// in the entry. The attempt is over in any case.
    ///
    /// @return why the pod was not taken back: a pod of that name is in the queue already
    public Optional<String> returnFailed(QueuedPodInfo info) {
        try {
            var present = subQueues.find(info.key());
            if (present != null) {
                return Optional.of(alreadyPresent(present));
            }
            info.failed(time.nowMillis(), arrivals.nextTurn());
            countRefusals(info, 1);
            var strategy = judgeReturn(info);
            subQueues.put(info, strategy, "ScheduleAttemptFailure");
            logReturn(info, strategy);
            return Optional.empty();
        } finally {
            inFlight.done(info.pod().uid());
        }
    }

    private void logReturn(QueuedPodInfo info, Strategy strategy) {
        if (log.isOn(3)) {
            var rejectors = new ArrayList<String>();
            info.forEachRejector(rejectors::add);
            log.info(
                    3,
                    "Pod moved to an internal scheduling queue",
                    "pod",
                    info.key(),
                    "event",
                    "ScheduleAttemptFailure",
                    "queue",
                    info.subQueue().logName(),
                    "schedulingCycle",
                    info.schedulingCycle(),
                    "hint",
                    strategy,
                    "unschedulable plugins",
                    rejectors);
        }
    }

    private static String alreadyPresent(QueuedPodInfo present) {
        String where =
                switch (present.subQueue()) {
                    case PARKED -> "unschedulable queue";
                    case ACTIVE -> "the active queue";
                    case BACKOFF, ERROR_BACKOFF -> "the backoff queue";
                    case OUT -> throw new IllegalStateException("found, but out: " + present);
                };
        return "Pod " + present.key() + " is already present in " + where;
    }

    /// What the events since the pod was popped mean for it.
    private Strategy judgeReturn(QueuedPodInfo info) {
        if (!info.hasRejectors()) {
            return Strategy.AFTER_BACKOFF;
        }
        wakeups.beginRound();
        var best = new Strategy[] {Strategy.SKIP};
        boolean known =
                inFlight.eventsSince(
                        info.pod().uid(),
                        happened -> {
                            var strategy =
                                    wakeups.judge(
                                            info,
                                            happened.event(),
                                            happened.before(),
                                            happened.after());
                            if (strategy.compareTo(best[0]) > 0) {
                                best[0] = strategy;
                            }
                            return best[0] == Strategy.SKIP
                                    || best[0] == Strategy.AFTER_BACKOFF
                                            && info.hasPendingPlugins();
                        });
        if (!known) {
            log.error(
                    null,
                    "Error getting cluster events for pod",
                    "pod",
                    info.key(),
                    "err",
                    "in flight Pod isn't found in the scheduling queue. If you see this error log,"
                            + " it's likely a bug in the scheduler");
            return Strategy.AFTER_BACKOFF;
        }
        return best[0];
    }

    /// Something happened: wakes the parked pods it may help.
    ///
    /// @param before null for an addition
    /// @param after null for a deletion
    public void moveAll(
            ClusterEvent event, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        moveAll(event, before, after, pod -> true);
    }

    /// As above, for some pods only. Those in flight hear of the event in any case.
    public void moveAll(
            ClusterEvent event,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after,
            Predicate<? super Pod> candidates) {
        if (!wakeups.isOfInterest(event)) {
            return;
        }
        wakeups.beginRound();
        var concerned =
                subQueues.parked().inOrder(group -> wakeups.concerns(group.example(), event));
        for (var info : concerned) {
            if (candidates.test(info.pod())) {
                wake(info, event, before, after);
            }
        }
        moved(event, before, after);
    }

    private void wake(
            QueuedPodInfo info,
            ClusterEvent event,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after) {
        var strategy = wakeups.judge(info, event, before, after);
        if (strategy == Strategy.SKIP) {
            if (log.isOn(5)) {
                log.info(
                        5,
                        "Event is not making pod schedulable",
                        "pod",
                        info.key(),
                        "event",
                        event.label());
            }
            return;
        }
        subQueues.putAnew(info, strategy, event.label());
    }

    private void moved(
            ClusterEvent event, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        moveRequestCycle = schedulingCycle;
        inFlight.record(event, before, after);
    }

    /// Makes pods active that a plugin wants to be tried now. One in flight is tried again after
    /// its backoff if it fails; unknown ones are ignored.
    public void activate(Collection<Pod> pods) {
        String event = ClusterEvent.FORCE_ACTIVATE.label();
        for (var pod : pods) {
            var info = subQueues.find(pod.key());
            if (info != null && !info.pod().uid().equals(pod.uid())) {
                // Another pod of that name, which was made since.
                continue;
            }
            if (info != null && info.subQueue() == SubQueue.PARKED) {
                subQueues.toActive(info, event);
            } else if (info != null && info.subQueue().isBackoff()) {
                subQueues.takeOut(info);
                subQueues.fromBackoffToActive(info, event);
            } else if (inFlight.contains(pod.uid())) {
                inFlight.record(ClusterEvent.FORCE_ACTIVATE, null, pod);
            }
        }
    }

    /// Makes the pods active whose backoff is over. Does nothing before its time.
    public void flushBackoffCompleted() {
        if (!closed) {
            subQueues.releaseBackedOff();
        }
    }

    /// Moves the pods that have been parked for too long. Looks once in 30 seconds, however often
    /// it is called.
    public void flushLeftovers() {
        if (closed) {
            return;
        }
        long nowMillis = time.nowMillis();
        var event = ClusterEvent.UNSCHEDULABLE_TIMEOUT;
        var waitedTooLong = leftovers.due(nowMillis);
        for (var info : waitedTooLong) {
            info.flush(nowMillis);
            wake(info, event, null, null);
        }
        if (!waitedTooLong.isEmpty()) {
            moved(event, null, null);
        }
    }

    /// When one of the flush methods has something to do next, or `Long.MAX_VALUE`. It may turn out
    /// that there is nothing to do after all, but it is never too late.
    public long nextDeadlineMillis() {
        if (closed) {
            return Long.MAX_VALUE;
        }
        return Math.min(leftovers.nextMillis(), subQueues.backingOff().nextLeavesAtMillis());
    }

    /// The entry of a pod in the queue, by `namespace/name`.
    public @Nullable QueuedPodInfo find(String podKey) {
        return subQueues.find(podKey);
    }

    /// An active pod's turn, by `namespace/name`, with so many of the pods before it; empty where
    /// it is not active, or where more than [#MOST_BEFORE] are before it.
    public Optional<Turn> turn(String podKey, int most) {
        var info = subQueues.find(podKey);
        if (info == null || info.subQueue() != SubQueue.ACTIVE) {
            return Optional.empty();
        }
        var first = new ArrayList<QueuedPodInfo>();
        int before = subQueues.active().before(info, MOST_BEFORE, most, first);
        if (before < 0) {
            return Optional.empty();
        }
        return Optional.of(new Turn(before + 1, first.stream().map(QueuedPodInfo::key).toList()));
    }

    public boolean isInFlight(String podUid) {
        return inFlight.contains(podUid);
    }

    /// The pods in flight, in the order in which they were popped.
    public List<String> inFlightUids() {
        return inFlight.uids();
    }

    /// How many events are kept for the pods in flight.
    public int inFlightEventCount() {
        return inFlight.eventCount();
    }

    /// Shows every pod in the queue, in no particular order; [QueuedPodInfo#subQueue] tells where.
    public void forEachPending(Consumer<? super QueuedPodInfo> consumer) {
        subQueues.forEach(consumer);
    }

    /// The pods in the queue: active ones and those that back off in the order in which they are to
    /// be tried, then parked ones in the order of parking.
    public List<QueuedPodInfo> pending() {
        var pending = new ArrayList<QueuedPodInfo>();
        subQueues.forEachInOrder(pending::add);
        return pending;
    }

    public Counts counts() {
        var parked = subQueues.parked();
        return new Counts(
                subQueues.active().size(),
                subQueues.backingOff().size(),
                parked.size() - parked.gatedCount(),
                parked.gatedCount(),
                inFlight.podCount());
    }

    /// One line for debug dumps.
    public String summary() {
        return "activeQ:"
                + subQueues.active().size()
                + "; backoffQ:"
                + subQueues.backingOff().size()
                + "; unschedulablePods:"
                + subQueues.parked().size();
    }

    /// Nothing is popped or flushed any more.
    @Override
    public void close() {
        closed = true;
        inFlight.clear();
    }

    private void countRefusals(QueuedPodInfo info, int delta) {
        info.forEachRejector(plugin -> metrics.refused(plugin, info.profile(), delta));
    }
}
