package io.berth.engine.queue;

import io.berth.api.event.ClusterEvent;
import io.berth.api.model.ClusterObject;
import io.berth.engine.port.QueueMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Pods that are being tried, and the events since.
///
/// One list holds both, in the order in which they came: a pod that comes back refused is judged by
/// the events behind its own entry, so no event is missed while a pod is between the queue and the
/// failure handler. Events in front of the first pod are of no use and are dropped.
///
/// ```
///   pod a ─ event 1 ─ pod b ─ event 2        a is judged by 1 and 2, b by 2
///           done(a): pod b ─ event 2         nobody needs 1
/// ```
///
/// A pod may stay in flight for minutes (Permit). The list is kept short all the same: when it
/// reaches its bound, all events are replaced by one that wakes every pod, which costs a try too
/// many but never loses a wake-up.
final class InFlight {
    static final int MAX_EVENTS = 100_000;

    /// Something that happened, with the object before and after.
    record Happening(
            ClusterEvent event, @Nullable ClusterObject before, @Nullable ClusterObject after) {}

    /// A link of the list: a pod (with uid) or an event (with happening).
    private static final class Link {
        final @Nullable String uid;
        final @Nullable Happening happening;
        @Nullable Link previous;
        @Nullable Link next;

        Link(@Nullable String uid, @Nullable Happening happening) {
            this.uid = uid;
            this.happening = happening;
        }
    }

    private final QueueMetrics metrics;
    private final int maxEvents;
    private final Map<String, Link> pods = new HashMap<>();
    private @Nullable Link first;
    private @Nullable Link last;
    private int eventCount;

    InFlight(QueueMetrics metrics, int maxEvents) {
        this.metrics = metrics;
        this.maxEvents = maxEvents;
    }

    boolean contains(String uid) {
        return pods.containsKey(uid);
    }

    boolean isEmpty() {
        return pods.isEmpty();
    }

    int podCount() {
        return pods.size();
    }

    int eventCount() {
        return eventCount;
    }

    /// The pods, in the order in which they were popped.
    List<String> uids() {
        var uids = new ArrayList<String>();
        for (var link = first; link != null; link = link.next) {
            if (link.uid != null) {
                uids.add(link.uid);
            }
        }
        return uids;
    }

    /// @return false where the pod is in flight already
    boolean add(String uid) {
        if (pods.containsKey(uid)) {
            return false;
        }
        var link = new Link(uid, null);
        pods.put(uid, link);
        append(link);
        metrics.inFlightEvents(QueueMetrics.POD_POPPED, 1);
        return true;
    }

    /// Remembers an event as long as a pod in flight may need it.
    void record(ClusterEvent event, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        if (pods.isEmpty()) {
            return;
        }
        if (eventCount >= maxEvents) {
            dropEvents();
            appendEvent(new Happening(ClusterEvent.UNSCHEDULABLE_TIMEOUT, null, null));
        }
        appendEvent(new Happening(event, before, after));
    }

    /// Shows the events since a pod was popped, oldest first, until one is answered with false.
    ///
    /// @return false where the pod is not in flight
    boolean eventsSince(String uid, Predicate<Happening> goOn) {
        var own = pods.get(uid);
        if (own == null) {
            return false;
        }
        for (var link = own.next; link != null; link = link.next) {
            if (link.happening != null && !goOn.test(link.happening)) {
                break;
            }
        }
        return true;
    }

    /// The pod is no longer being tried. Unknown ones are ignored.
    void done(String uid) {
        var own = pods.remove(uid);
        if (own == null) {
            return;
        }
        unlink(own);
        metrics.inFlightEvents(QueueMetrics.POD_POPPED, -1);
        while (first != null && first.happening != null) {
            unlink(first);
        }
    }

    void clear() {
        for (String uid : uids()) {
            done(uid);
        }
    }

    private void appendEvent(Happening happening) {
        append(new Link(null, happening));
        eventCount++;
        metrics.inFlightEvents(happening.event().label(), 1);
    }

    private void dropEvents() {
        for (var link = first; link != null; link = link.next) {
            if (link.happening != null) {
                unlink(link);
            }
        }
    }

    private void append(Link link) {
        link.previous = last;
        if (last == null) {
            first = link;
        } else {
            last.next = link;
        }
        last = link;
    }

    /// Leaves the link's own `next`, so that a walk over the list may unlink as it goes.
    private void unlink(Link link) {
        if (link.previous == null) {
            first = link.next;
        } else {
            link.previous.next = link.next;
        }
        if (link.next == null) {
            last = link.previous;
        } else {
            link.next.previous = link.previous;
        }
        if (link.happening != null) {
            eventCount--;
            metrics.inFlightEvents(link.happening.event().label(), -1);
        }
    }
}
