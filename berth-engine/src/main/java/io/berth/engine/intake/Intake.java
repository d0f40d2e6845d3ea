package io.berth.engine.intake;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.handle.Log;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.cycle.StatusWrites;
import io.berth.engine.cycle.WaitingPods;
import io.berth.engine.queue.NodeChanges;
import io.berth.engine.queue.PodChanges;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import io.berth.engine.state.StateException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Applies what happens in the cluster to state and queue (rules E-65 to E-73).
///
/// Bound pods change the state; our own pending pods enter the queue; everything may wake pods that
/// wait. Owned by the engine thread.
public final class Intake {
    private static final ClusterEvent ASSIGNED_ADDED =
            ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.ADD);
    private static final ClusterEvent ASSIGNED_DELETED =
            ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);
    private static final ClusterEvent PENDING_ADDED =
            ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.ADD);
    private static final ClusterEvent PENDING_CHANGED =
            ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE);
    private static final ClusterEvent PENDING_DELETED =
            ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.DELETE);
    private static final ClusterEvent NODE_ADDED = ClusterEvent.of(ClusterEvent.NODE, Action.ADD);
    private static final ClusterEvent NODE_DELETED =
            ClusterEvent.of(ClusterEvent.NODE, Action.DELETE);

    private final ClusterState state;
    private final ObjectStore objects;
    private final SchedulingQueue queue;
    private final WaitingPods waiting;
    private final StatusWrites statuses;
    private final Set<String> schedulerNames;
    private final Subscriptions subscriptions;
    private final EventTimes times;
    private final Log log;

    public Intake(
            ClusterState state,
            ObjectStore objects,
            SchedulingQueue queue,
            WaitingPods waiting,
            StatusWrites statuses,
            Set<String> schedulerNames,
            Subscriptions subscriptions,
            EventTimes times,
            Log log) {
        this.state = state;
        this.objects = objects;
        this.queue = queue;
        this.waiting = waiting;
        this.statuses = statuses;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.subscriptions = subscriptions;
        this.times = times;
        this.log = log;
    }

    public void seen(ClusterObject object) {
        switch (object) {
            case Pod pod -> podSeen(pod);
            case Node node -> nodeSeen(node);
            default -> otherChanged(object.kind(), objects.put(object), object);
        }
    }

    public void gone(Kind kind, String namespace, String name) {
        if (kind == Kind.POD) {
            var last = objects.pod(namespace, name);
            if (last != null) {
                objects.remove(kind, namespace, name);
                podGone(last);
            }
        } else if (kind == Kind.NODE) {
            var last = state.node(name);
            if (last != null) {
                nodeGone(last);
            }
        } else {
            otherChanged(kind, objects.remove(kind, namespace, name), null);
        }
    }

    private void podSeen(Pod pod) {
        var before = objects.pod(pod.namespace(), pod.name());
        if (before != null && !before.uid().equals(pod.uid())) {
            // Deleted and made anew while we did not look.
            gone(Kind.POD, pod.namespace(), pod.name());
            before = null;
        }
        if (pod.isTerminal()) {
            // The watch leaves finished pods out; a server that does not filter is treated alike.
            gone(Kind.POD, pod.namespace(), pod.name());
            return;
        }
        objects.put(pod);
        if (before == null) {
            podAdded(pod);
        } else {
            podChanged(before, pod);
        }
    }

    private void podAdded(Pod pod) {
        if (pod.isAssigned()) {
            assignedPodAdded(pod);
        } else if (isOurs(pod)) {
            long begin = times.begin();
            tell(3, "Add event for unscheduled pod", pod);
            queue.add(pod);
            times.end(PENDING_ADDED, begin);
        }
    }

    /// @return when it was done
    private long assignedPodAdded(Pod pod) {
        long begin = times.begin();
        statuses.drop(pod.uid());
        tell(3, "Add event for scheduled pod", pod);
        tellingErrors("Scheduler cache AddPod failed", pod, () -> state.addPod(pod));
        queue.moveAll(ASSIGNED_ADDED, null, pod);
        return times.end(ASSIGNED_ADDED, begin);
    }

    private void podChanged(Pod before, Pod pod) {
        if (before.isAssigned()) {
            long begin = times.begin();
            tell(4, "Update event for scheduled pod", pod);
            tellingErrors(
                    "Scheduler cache UpdatePod failed", pod, () -> state.updatePod(before, pod));
            for (var change : PodChanges.between(before, pod)) {
                var event = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, change.actions());
                queue.moveAll(event, before, pod);
                times.end(event, begin);
            }
        } else if (pod.isAssigned()) {
            long begin = assignedPodAdded(pod);
            if (isOurs(pod)) {
                queue.delete(pod);
                times.end(PENDING_DELETED, begin);
            }
        } else if (isOurs(before)) {
            pendingPodChanged(before, pod);
        }
    }

    /// E-68.
    private void pendingPodChanged(Pod before, Pod pod) {
        if (before.resourceVersion().equals(pod.resourceVersion())
                && !pod.resourceVersion().isEmpty()) {
            return;
        }
        statuses.seen(pod);
        long begin = times.begin();
        if (state.isAssumed(pod.uid())) {
            if (!before.isTerminating() && pod.isTerminating()) {
                assumedPodDeleted(pod);
            }
            return;
        }
        tell(4, "Update event for unscheduled pod", pod);
        queue.update(before, pod);
        if (!before.nominatedNodeName().isEmpty()
                && !before.nominatedNodeName().equals(pod.nominatedNodeName())) {
            wakeAtMost(before);
        }
        if (times.areWanted()) {
            times.end(PENDING_CHANGED, PodChanges.between(before, pod), begin);
        }
    }

    private void podGone(Pod last) {
        long begin = times.begin();
        statuses.drop(last.uid());
        if (last.isAssigned()) {
            tell(3, "Delete event for scheduled pod", last);
            tellingErrors("Scheduler cache RemovePod failed", last, () -> state.removePod(last));
            queue.moveAll(ASSIGNED_DELETED, last, null);
            times.end(ASSIGNED_DELETED, begin);
        } else if (isOurs(last)) {
            tell(3, "Delete event for unscheduled pod", last);
            queue.delete(last);
            if (state.isAssumed(last.uid())) {
                assumedPodDeleted(last);
            } else if (!last.nominatedNodeName().isEmpty()) {
                wakeAtMost(last);
            }
            times.end(PENDING_DELETED, begin);
        }
    }

    /// E-71: a pod that has its place in our books goes. The binding under way fails by itself
    /// later.
    private void assumedPodDeleted(Pod pod) {
        var assumed = state.podOf(pod.uid());
        if (assumed == null) {
            return;
        }
        var waits = waiting.find(pod.uid());
        boolean isRejected = waits != null && waits.reject("", "removed");
        if (!isRejected) {
            tellingErrors(
                    "Scheduler cache ForgetPod failed", assumed, () -> state.forgetPod(assumed));
        }
        queue.moveAll(ASSIGNED_DELETED, assumed, null);
    }

    /// A nominated place has become free: no more important pods than the one that had it are
    /// woken.
    private void wakeAtMost(Pod former) {
        queue.moveAll(
                ASSIGNED_DELETED,
                former,
                null,
                pod -> pod.spec().priority() <= former.spec().priority());
    }

    private void nodeSeen(Node node) {
        long begin = times.begin();
        var before = state.node(node.name());
        if (before == null) {
            log.info(3, "Add event for node", "node", node.name());
            state.addNode(node);
            queue.moveAll(NODE_ADDED, null, node);
            times.end(NODE_ADDED, begin);
            return;
        }
        log.info(4, "Update event for node", "node", node.name());
        state.updateNode(node);
        for (var event : NodeChanges.between(before, node)) {
            queue.moveAll(event, before, node);
            times.end(event, begin);
        }
    }

    private void nodeGone(Node last) {
        long begin = times.begin();
        log.info(3, "Delete event for node", "node", last.name());
        queue.moveAll(NODE_DELETED, last, null);
        try {
            state.removeNode(last);
        } catch (StateException unknown) {
            log.error(unknown, "Scheduler cache RemoveNode failed", "node", last.name());
        }
        times.end(NODE_DELETED, begin);
    }

    /// E-73. Nobody is told of an object that came again unchanged.
    private void otherChanged(
            Kind kind, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var resource = subscriptions.nameOf(kind);
        if (resource == null || Objects.equals(before, after)) {
            return;
        }
        long begin = times.begin();
        int action = before == null ? Action.ADD : after == null ? Action.DELETE : Action.UPDATE;
        var event = ClusterEvent.of(resource, action);
        queue.moveAll(event, before, after);
        times.end(event, begin);
    }

    private void tell(int level, String sentence, Pod pod) {
        if (log.isOn(level)) {
            log.info(level, sentence, "pod", pod.key());
        }
    }

    private boolean isOurs(Pod pod) {
        return schedulerNames.contains(pod.spec().schedulerName());
    }

    /// What does not fit our books is logged; the queue's part happens all the same.
    private void tellingErrors(String sentence, @Nullable Pod pod, Runnable change) {
        try {
            change.run();
        } catch (StateException misfit) {
            log.error(misfit, sentence, "pod", pod == null ? "" : pod.key());
        }
    }
}
