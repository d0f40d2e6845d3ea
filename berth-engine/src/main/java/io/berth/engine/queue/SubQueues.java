package io.berth.engine.queue;

import io.berth.api.handle.Log;
import io.berth.api.plugin.QueueSort;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.TimeSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The three waiting rooms and the doors between them. A pod is in at most one.
///
/// ```
///                 PreEnqueue                 PreEnqueue
///    parked ─────────────────► backing off ───────────── ─ ─ ► (refused: parked, gated)
///       │                          │
///       │ PreEnqueue               │ backoff over, or nothing else ready
///       ▼                          ▼
///    active ◄──────────────────────┘
/// ```
final class SubQueues {
    private final boolean popFromBackoff;
    private final Gates gates;
    private final TimeSource time;
    private final Log log;
    private final QueueMetrics metrics;
    private final Backoff backoff;
    private final PodHeap active;
    private final BackoffHeap backingOff;
    private final Parked parked = new Parked();
    private final Map<String, QueuedPodInfo> byKey = new HashMap<>();
    private long moves;

    SubQueues(QueueSettings settings, QueueSort sort, Gates gates, SchedulingQueue.Ports ports) {
        this.popFromBackoff = settings.popFromBackoff();
        this.gates = gates;
        this.time = ports.time();
        this.log = ports.log();
        this.metrics = ports.metrics();
        this.backoff = new Backoff(settings, time.nowMillis());
        PodHeap.Order order = totalOrder(sort);
        this.active = new PodHeap(SubQueue.ACTIVE, order);
        this.backingOff = new BackoffHeap(backoff, popFromBackoff, order);
    }

    /// Pods that the plugin does not tell apart leave by turns: clocks here count milliseconds,
    /// where upstream's nanoseconds tell every two pods apart.
    private static PodHeap.Order totalOrder(QueueSort sort) {
        return (a, b) -> sort.less(a, b) || !sort.less(b, a) && a.turn() < b.turn();
    }

    @Nullable QueuedPodInfo find(String key) {
        return byKey.get(key);
    }

    Map<String, QueuedPodInfo> byKey() {
        return Collections.unmodifiableMap(byKey);
    }

    PodHeap active() {
        return active;
    }

    BackoffHeap backingOff() {
        return backingOff;
    }

    Parked parked() {
        return parked;
    }

    /// The next pod to try, taken out: an active one, or else the first of those that back off.
    @Nullable QueuedPodInfo takeNext() {
        var info = active.isEmpty() ? takeEarly() : active.pop();
        if (info != null) {
            byKey.remove(info.key());
        }
        return info;
    }

    private @Nullable QueuedPodInfo takeEarly() {
        var info = popFromBackoff ? backingOff.popUnschedulable() : null;
        if (info != null) {
            metrics.incoming(SubQueue.ACTIVE.metricName(), "PopFromBackoffQ");
        }
        return info;
    }

    boolean hasNext() {
        return !active.isEmpty() || popFromBackoff && backingOff.hasUnschedulable();
    }

    /// Puts a pod where the judgement of an event says.
    void put(QueuedPodInfo info, Wakeups.Strategy strategy, String event) {
        switch (strategy) {
            case SKIP -> park(info, event);
            case IMMEDIATELY -> toActive(info, event);
            case AFTER_BACKOFF -> {
                if (backoff.isBackingOff(info, time.nowMillis())) {
                    toBackoff(info, event);
                } else {
                    toActive(info, event);
                }
            }
        }
    }

    /// Puts a parked pod where the judgement of an event says, as if it had been taken out before.
    ///
    /// While victims are evicted for a thousand pods, each of the evictions finds most of the gates
    /// shut, so such a pod goes to the end of its group and no further.
    void putAnew(QueuedPodInfo info, Wakeups.Strategy strategy, String event) {
        if (!info.isGated()) {
            takeOut(info);
        }
        boolean isParked = info.subQueue() == SubQueue.PARKED;
        put(info, strategy, event);
        if (isParked && info.subQueue() == SubQueue.PARKED) {
            parked.putLast(info);
            tellEntered(info, event);
        }
    }

    /// Makes a pod active, or parks it where a plugin gates it.
    void toActive(QueuedPodInfo info, String event) {
        gates.test(info);
        activateUnlessGated(info, event);
    }

    /// Makes a pod active that has just left the pods that back off.
    void fromBackoffToActive(QueuedPodInfo info, String event) {
        if (!popFromBackoff) {
            // Otherwise its gates were tested when its backoff began.
            gates.test(info);
        }
        activateUnlessGated(info, event);
    }

    private void activateUnlessGated(QueuedPodInfo info, String event) {
        if (info.isGated()) {
            park(info, event);
            return;
        }
        takeOut(info);
        info.becameActive(time.nowMillis());
        active.add(info);
        entered(info, event);
    }

    private void toBackoff(QueuedPodInfo info, String event) {
        if (popFromBackoff) {
            gates.test(info);
            if (info.isGated()) {
                park(info, event);
                return;
            }
        }
        takeOut(info);
        backingOff.add(info);
        entered(info, event);
    }

    private void park(QueuedPodInfo info, String event) {
        if (parked.put(info)) {
            entered(info, event);
        }
    }

    private void entered(QueuedPodInfo info, String event) {
        byKey.put(info.key(), info);
        tellEntered(info, event);
    }

    private void tellEntered(QueuedPodInfo info, String event) {
        moves++;
        metrics.incoming(info.subQueue().metricName(), event);
        if (log.isOn(5)) {
            log.info(
                    5,
                    info.isGated()
                            ? "Pod moved to an internal scheduling queue, because the pod is gated"
                            : "Pod moved to an internal scheduling queue",
                    "pod",
                    info.key(),
                    "event",
                    event,
                    "queue",
                    info.subQueue().logName());
        }
    }

    /// Takes a pod out of wherever it is.
    void takeOut(QueuedPodInfo info) {
        switch (info.subQueue()) {
            case OUT -> {
                return;
            }
            case ACTIVE -> active.remove(info);
            case BACKOFF, ERROR_BACKOFF -> backingOff.remove(info);
            case PARKED -> parked.remove(info);
        }
        moves++;
        byKey.remove(info.key());
    }

    /// How often pods have gone from place to place.
    long moves() {
        return moves;
    }

    /// Restores the order after the pod of an entry changed.
    void reorder(QueuedPodInfo info) {
        switch (info.subQueue()) {
            case ACTIVE -> active.fix(info);
            case BACKOFF, ERROR_BACKOFF -> backingOff.fix(info);
            case OUT, PARKED -> {}
        }
    }

    /// Makes all pods active whose backoff is over.
    void releaseBackedOff() {
        long nowMillis = time.nowMillis();
        while (true) {
            var info = backingOff.popOver(nowMillis);
            if (info == null) {
                return;
            }
            byKey.remove(info.key());
            fromBackoffToActive(info, "BackoffComplete");
        }
    }

    void forEach(Consumer<? super QueuedPodInfo> consumer) {
        active.forEach(consumer);
        backingOff.forEach(consumer);
        parked.groups().forEach(group -> group.forEach(consumer));
    }

    void forEachInOrder(Consumer<? super QueuedPodInfo> consumer) {
        active.sorted().forEach(consumer);
        backingOff.forEachSorted(consumer);
        parked.inOrder(group -> true).forEach(consumer);
    }
}
