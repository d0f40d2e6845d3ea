package io.berth.ui;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.lab.explain.QueueFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The last decisions, found by comparing what pods were like with what they are like: so it works
/// beside any scheduler. What comes and goes between two looks is not seen.
///
/// One thread looks, many read. What is kept has a bound.
final class Decisions {
    static final int MOST = 2_000;

    /// How many of those that were made before the first look are told.
    private static final int FIRST = 200;

    private final NavigableMap<Long, Decision> last = new ConcurrentSkipListMap<>();
    private final Map<String, Seen> pods = new HashMap<>();
    private boolean hasLooked;
    private long seq;
    private final AtomicLong bound = new AtomicLong();

    private record Seen(Pod pod, int attempts) {}

    /// How many pods were seen to get a node since the first look.
    long bound() {
        return bound.get();
    }

    /// The newest that came after one, oldest first, at most so many.
    List<Decision> after(long known, int most) {
        var newest = new ArrayList<Decision>();
        for (var decision : last.descendingMap().values()) {
            if (decision.seq() <= known || newest.size() == most) {
                break;
            }
            newest.add(decision);
        }
        return newest.reversed();
    }

    void look(List<Pod> now, Map<String, QueueFacts> queue, Instant time) {
        if (!hasLooked) {
            hasLooked = true;
            begin(now, time);
        }
        for (var pod : now) {
            var key = key(pod);
            var before = pods.get(key);
            int attempts = attempts(pod, queue);
            if (before == null || !isSame(before.pod, pod) || before.attempts != attempts) {
                compare(before, pod, attempts, time);
                pods.put(key, new Seen(pod, attempts));
            }
        }
        if (pods.size() > now.size()) {
            var there = new HashSet<String>();
            now.forEach(pod -> there.add(key(pod)));
            pods.keySet().retainAll(there);
        }
    }

    /// A pod that was not told of again is the same object; whoever was has most likely changed.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Pod one, Pod other) {
        return one == other;
    }

    private static String key(Pod pod) {
        return pod.uid().isEmpty() ? pod.key() : pod.uid();
    }

    private static int attempts(Pod pod, Map<String, QueueFacts> queue) {
        if (pod.isAssigned() || queue.isEmpty()) {
            return -1;
        }
        var facts = queue.get(pod.key());
        return facts == null ? -1 : facts.attempts();
    }

    /// What was there before anybody looked: the newest of it, with the times that the cluster
    /// knows.
    private void begin(List<Pod> now, Instant time) {
        var known = new ArrayList<Decision>();
        for (var pod : now) {
            pods.put(key(pod), new Seen(pod, -1));
            var condition = pod.condition(PodCondition.POD_SCHEDULED);
            var at = condition == null ? pod.createdAt() : condition.lastTransitionTime();
            var told = at == null ? pod.createdAt() : at;
            var when = told == null ? time : told;
            if (pod.isAssigned()) {
                known.add(
                        new Decision(0, when, Decision.Kind.BOUND, pod.key(), pod.nodeName(), ""));
            } else if (refusal(pod) != null) {
                known.add(
                        new Decision(
                                0,
                                when,
                                Decision.Kind.UNPLACED,
                                pod.key(),
                                "",
                                String.valueOf(refusal(pod))));
            }
        }
        known.sort(Comparator.comparing(Decision::time));
        known.stream()
                .skip(Math.max(0, known.size() - FIRST))
                .forEach(old -> tell(old.time(), old.kind(), old.pod(), old.node(), old.text()));
    }

    private void compare(@Nullable Seen before, Pod pod, int attempts, Instant time) {
        var old = before == null ? null : before.pod;
        if (pod.isAssigned()) {
            if (old == null || !old.isAssigned()) {
                bound.incrementAndGet();
                tell(time, Decision.Kind.BOUND, pod.key(), pod.nodeName(), "");
            }
            var target = pod.condition(PodCondition.DISRUPTION_TARGET);
            if (target != null
                    && target.reason().equals("PreemptionByScheduler")
                    && (old == null || old.condition(PodCondition.DISRUPTION_TARGET) == null)) {
                tell(time, Decision.Kind.PREEMPTED, pod.key(), pod.nodeName(), target.message());
            }
            return;
        }
        var text = refusal(pod);
        boolean isTriedAgain = before != null && before.attempts >= 0 && attempts > before.attempts;
        if (text != null && (isTriedAgain || old == null || !text.equals(refusal(old)))) {
            tell(time, Decision.Kind.UNPLACED, pod.key(), "", text);
        }
    }

    private static @Nullable String refusal(Pod pod) {
        var condition = pod.condition(PodCondition.POD_SCHEDULED);
        return condition != null && condition.status().equals("False") ? condition.message() : null;
    }

    private void tell(Instant time, Decision.Kind kind, String pod, String node, String text) {
        seq++;
        last.put(seq, new Decision(seq, time, kind, pod, node, text));
        if (seq > MOST) {
            last.remove(seq - MOST);
        }
    }
}
