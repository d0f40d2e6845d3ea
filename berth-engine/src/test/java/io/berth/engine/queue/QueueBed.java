package io.berth.engine.queue;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.QueueSort;
import io.berth.api.spec.PodSpec;
import io.berth.testkit.HandClock;
import io.berth.testkit.NotedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A queue with everything around it.
final class QueueBed {
    static final ClusterEvent NODE_ADDED = ClusterEvent.of(ClusterEvent.NODE, Action.ADD);
    static final ClusterEvent NODE_LABELLED =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL);
    static final ClusterEvent CLAIM_ADDED =
            ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD);
    static final Node NODE = Node.builder("n1").build();

    /// As PrioritySort.
    static final QueueSort SORT =
            new QueueSort() {
                @Override
                public String name() {
                    return "PrioritySort";
                }

                @Override
                public boolean less(QueuedPod a, QueuedPod b) {
                    int p1 = a.pod().spec().priority();
                    int p2 = b.pod().spec().priority();
                    return p1 > p2 || p1 == p2 && a.timestampMillis() < b.timestampMillis();
                }
            };

    /// A plugin that refuses pods and waits for events.
    record Listener(String name, List<Registration> events) implements Events {
        static Listener of(String name, Registration... events) {
            return new Listener(name, List.of(events));
        }
    }

    static final long NOON = HandClock.START.toEpochMilli();

    final HandClock clock = new HandClock();
    final NotedLog log = new NotedLog();
    final RecordingMetrics metrics = new RecordingMetrics();
    final Map<String, Pod> known = new HashMap<>();
    final SchedulingQueue queue;

    QueueBed(Plugin... plugins) {
        this(QueueSettings.DEFAULT, plugins);
    }

    QueueBed(QueueSettings settings, Plugin... plugins) {
        var gates = new ArrayList<PreEnqueue>();
        for (var plugin : plugins) {
            if (plugin instanceof PreEnqueue gate) {
                gates.add(gate);
            }
        }
        var profile =
                new QueueProfile(
                        PodSpec.DEFAULT_SCHEDULER, gates, HintMap.of(List.of(plugins), false));
        queue =
                new SchedulingQueue(
                        settings,
                        List.of(profile),
                        SORT,
                        new SchedulingQueue.Ports(known::get, clock, log, metrics));
    }

    static Pod pod(String name) {
        return pod(name, 0);
    }

    static Pod pod(String name, int priority) {
        return Pod.builder("ns", name)
                .uid("uid-" + name)
                .spec(PodSpec.builder().priority(priority).build())
                .build();
    }

    void add(Pod... pods) {
        for (var pod : pods) {
            known.put(pod.key(), pod);
            queue.add(pod);
        }
    }

    void update(Pod before, Pod after) {
        known.put(after.key(), after);
        queue.update(before, after);
    }

    QueuedPodInfo pop() {
        var info = queue.pop();
        if (info == null) {
            throw new AssertionError("nothing to pop: " + queue.summary());
        }
        return info;
    }

    /// Adds a pod and lets its first attempt fail.
    QueuedPodInfo addRefused(Pod pod, String... refusedBy) {
        add(pod);
        var info = pop();
        if (!info.pod().equals(pod)) {
            throw new AssertionError("popped " + info + " instead of " + pod);
        }
        fail(info, refusedBy);
        return info;
    }

    void fail(QueuedPodInfo info, String... refusedBy) {
        failPending(info, List.of(refusedBy), List.of());
    }

    void failPending(QueuedPodInfo info, List<String> refusedBy, List<String> pending) {
        info.clearRejectors();
        info.rejectedBy(refusedBy, pending);
        var problem = queue.returnFailed(info);
        if (problem.isPresent()) {
            throw new AssertionError(problem.get());
        }
    }

    QueuedPodInfo find(String name) {
        var info = queue.find("ns/" + name);
        if (info == null) {
            throw new AssertionError(name + " is not in the queue");
        }
        return info;
    }

    SubQueue subQueueOf(String name) {
        var info = queue.find("ns/" + name);
        return info == null ? SubQueue.OUT : info.subQueue();
    }

    List<String> popAll() {
        var names = new ArrayList<String>();
        for (var info = queue.pop(); info != null; info = queue.pop()) {
            names.add(info.pod().name());
            queue.done(info.pod().uid());
        }
        return names;
    }

    static Registration on(String resource, int actions) {
        return Registration.of(resource, actions);
    }

    void advance(long byMillis) {
        clock.advance(Duration.ofMillis(byMillis));
    }

    /// Sets the time as milliseconds after noon.
    void atMillis(long afterNoon) {
        advance(NOON + afterNoon - clock.nowMillis());
    }
}
