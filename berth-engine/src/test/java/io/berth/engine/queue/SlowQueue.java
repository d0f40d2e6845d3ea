package io.berth.engine.queue;

import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.testkit.HandClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The scheduling queue as the contract tells it, without any cleverness: one list of pods with
/// their state, one list of everything that ever happened. For default settings.
final class SlowQueue {
    static final class Entry {
        Pod pod;
        SubQueue subQueue = SubQueue.OUT;
        long timestamp;
        long arrival;
        int unschedulableCount;
        int errors;
        Set<String> unschedulable = new HashSet<>();
        Set<String> pending = new HashSet<>();
        String gating = "";
        long flushedAt = Long.MIN_VALUE;

        /// Where in the history the last attempt began; -1 while not in flight.
        int poppedAt = -1;

        /// Where in the history the last attempt began, also after it.
        int lastPop = -1;

        Entry(Pod pod) {
            this.pod = pod;
        }

        Set<String> rejectors() {
            var all = new HashSet<>(unschedulable);
            all.addAll(pending);
            return all;
        }
    }

    record Event(
            ClusterEvent event,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after,
            boolean forAll) {}

    private final HandClock clock;
    private final Map<String, List<Registration>> plugins;
    private final List<Gate> gates;
    private final Map<String, Entry> byUid = new LinkedHashMap<>();
    private final List<Event> history = new ArrayList<>();
    private long arrivals;
    private long nextLeftover;

    /// @param plugins what each plugin registered, in order, with the implicit registrations
    SlowQueue(HandClock clock, Map<String, List<Registration>> plugins, List<Gate> gates) {
        this.clock = clock;
        this.plugins = plugins;
        this.gates = gates;
        this.nextLeftover = clock.nowMillis() + 30_000;
    }

    Map<String, SubQueue> subQueues() {
        var subQueues = new LinkedHashMap<String, SubQueue>();
        byUid.forEach((uid, entry) -> {
            if (entry.subQueue != SubQueue.OUT) {
                subQueues.put(uid, entry.subQueue);
            }
        });
        return subQueues;
    }

    List<Entry> inFlight() {
        return byUid.values().stream()
                .filter(entry -> entry.poppedAt >= 0)
                .sorted(Comparator.comparingInt(entry -> entry.poppedAt))
                .toList();
    }

    /// How many events the pods in flight may still need.
    int neededEvents() {
        var flying = inFlight();
        return flying.isEmpty() ? 0 : history.size() - flying.getFirst().poppedAt;
    }

    Entry entry(String uid) {
        var entry = byUid.get(uid);
        if (entry == null) {
            throw new AssertionError("no such pod: " + uid);
        }
        return entry;
    }

    void add(Pod pod) {
        var entry = new Entry(pod);
        entry.timestamp = clock.nowMillis();
        entry.arrival = ++arrivals;
        byUid.put(pod.uid(), entry);
        place(entry, SubQueue.ACTIVE);
    }

    void delete(Pod pod) {
        var entry = entry(pod.uid());
        entry.subQueue = SubQueue.OUT;
        if (entry.poppedAt < 0) {
            byUid.remove(pod.uid());
        }
    }

    void update(Pod before, Pod after) {
        var entry = entry(after.uid());
        if (entry.poppedAt >= 0) {
            for (var change : PodChanges.between(before, after)) {
                history.add(new Event(change, before, after, false));
            }
            return;
        }
        entry.pod = after;
        if (entry.subQueue == SubQueue.PARKED) {
            for (var change : PodChanges.between(before, after)) {
                if (entry.subQueue == SubQueue.PARKED) {
                    move(entry, judge(entry, new Event(change, before, after, false)));
                }
            }
        }
    }

    @Nullable String pop() {
        var order =
                Comparator.comparingInt((Entry e) -> -e.pod.spec().priority())
                        .thenComparingLong(e -> e.timestamp)
                        .thenComparingLong(e -> e.arrival);
        var next =
                all(SubQueue.ACTIVE).stream()
                        .min(order)
                        .or(() ->
                                all(SubQueue.BACKOFF).stream()
                                        .min(
                                                Comparator.comparingLong(this::backoffEnd)
                                                        .thenComparing(order)))
                        .orElse(null);
        if (next == null) {
            return null;
        }
        next.subQueue = SubQueue.OUT;
        next.poppedAt = history.size();
        next.lastPop = history.size();
        return next.pod.uid();
    }

    void done(String uid) {
        byUid.remove(uid);
    }

    void fail(String uid, Pod newest, Set<String> unschedulable, Set<String> pending) {
        var entry = entry(uid);
        entry.pod = newest;
        entry.unschedulable = new HashSet<>(unschedulable);
        entry.pending = new HashSet<>(pending);
        entry.timestamp = clock.nowMillis();
        entry.arrival = ++arrivals;
        entry.flushedAt = Long.MIN_VALUE;
        if (entry.rejectors().isEmpty()) {
            entry.errors++;
        } else {
            entry.errors = 0;
            entry.unschedulableCount++;
        }
        int verdict = entry.rejectors().isEmpty() ? 1 : 0;
        for (var event : history.subList(entry.poppedAt, history.size())) {
            verdict = Math.max(verdict, entry.rejectors().isEmpty() ? 1 : judge(entry, event));
        }
        entry.poppedAt = -1;
        if (verdict == 0) {
            entry.subQueue = SubQueue.PARKED;
        } else {
            move(entry, verdict);
        }
    }

    void moveAll(
            ClusterEvent event,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after,
            Predicate<? super Pod> candidates,
            boolean forAll) {
        boolean heard =
                event.isWildcard()
                        || plugins.values().stream()
                                .flatMap(List::stream)
                                .anyMatch(registration -> registration.event().matches(event));
        if (!heard) {
            return;
        }
        var happened = new Event(event, before, after, forAll);
        for (var entry : all(SubQueue.PARKED)) {
            if (candidates.test(entry.pod) && !isGatedAgainst(entry, event)) {
                move(entry, judge(entry, happened));
            }
        }
        history.add(happened);
    }

    private boolean isGatedAgainst(Entry entry, ClusterEvent event) {
        return !entry.gating.isEmpty()
                && !event.isWildcard()
                && plugins.getOrDefault(entry.gating, List.of()).stream()
                        .noneMatch(registration -> registration.event().matches(event));
    }

    void activate(Pod pod) {
        var entry = byUid.get(pod.uid());
        if (entry == null) {
            return;
        }
        switch (entry.subQueue) {
            case PARKED -> place(entry, SubQueue.ACTIVE);
            case BACKOFF, ERROR_BACKOFF -> entry.subQueue = SubQueue.ACTIVE;
            case ACTIVE -> {}
            case OUT -> history.add(new Event(ClusterEvent.FORCE_ACTIVATE, null, pod, false));
        }
    }

    void flush() {
        long now = clock.nowMillis();
        for (var entry : byUid.values()) {
            boolean waits =
                    entry.subQueue == SubQueue.BACKOFF || entry.subQueue == SubQueue.ERROR_BACKOFF;
            if (waits && backoffEnd(entry) < now / 1000 * 1000) {
                entry.subQueue = SubQueue.ACTIVE;
            }
        }
        if (now < nextLeftover) {
            return;
        }
        while (nextLeftover <= now) {
            nextLeftover += 30_000;
        }
        var timeout = new Event(ClusterEvent.UNSCHEDULABLE_TIMEOUT, null, null, false);
        boolean any = false;
        for (var entry : all(SubQueue.PARKED)) {
            if (nextLeftover - 30_000 - Math.max(entry.timestamp, entry.flushedAt) > 300_000) {
                any = true;
                entry.flushedAt = now;
                move(entry, 1);
            }
        }
        if (any) {
            history.add(timeout);
        }
    }

    /// Parked pods that an event since their last attempt should have woken.
    List<String> forgotten() {
        var forgotten = new ArrayList<String>();
        for (var entry : all(SubQueue.PARKED)) {
            if (!entry.gating.isEmpty()) {
                continue;
            }
            for (var event : history.subList(entry.lastPop, history.size())) {
                if (event.forAll && judge(entry, event) > 0) {
                    forgotten.add(entry.pod.key() + " by " + event.event.label());
                }
            }
        }
        return forgotten;
    }

    private List<Entry> all(SubQueue subQueue) {
        return byUid.values().stream().filter(entry -> entry.subQueue == subQueue).toList();
    }

    /// 0: not worth a try, 1: after backoff, 2: at once.
    private int judge(Entry entry, Event happened) {
        if (entry.rejectors().isEmpty()) {
            return 1;
        }
        if (happened.event.isWildcard()) {
            return happened.after == null
                            || happened.after instanceof Pod pod
                                    && pod.uid().equals(entry.pod.uid())
                    ? 1
                    : 0;
        }
        int verdict = 0;
        for (String plugin : entry.rejectors()) {
            for (var registration : plugins.getOrDefault(plugin, List.of())) {
                if (registration.event().matches(happened.event)
                        && registration.hint().judge(entry.pod, happened.before, happened.after)
                                == Hint.QUEUE) {
                    verdict = Math.max(verdict, entry.pending.contains(plugin) ? 2 : 1);
                }
            }
        }
        return verdict;
    }

    private void move(Entry entry, int verdict) {
        if (verdict == 0) {
            return;
        }
        boolean backsOff = backoffEnd(entry) >= clock.nowMillis() / 1000 * 1000;
        if (verdict == 1 && backsOff) {
            place(entry, entry.rejectors().isEmpty() ? SubQueue.ERROR_BACKOFF : SubQueue.BACKOFF);
        } else {
            place(entry, SubQueue.ACTIVE);
        }
    }

    private void place(Entry entry, SubQueue subQueue) {
        for (var gate : gates) {
            if (gate.closedFor.contains(entry.pod.name())) {
                // Whichever gate closed last is asked first, but the answer is the same.
                entry.gating =
                        closedGates(entry).contains(entry.gating) ? entry.gating : gate.name();
                entry.unschedulable.add(entry.gating);
                entry.subQueue = SubQueue.PARKED;
                return;
            }
        }
        entry.gating = "";
        entry.subQueue = subQueue;
    }

    private Set<String> closedGates(Entry entry) {
        var closed = new HashSet<String>();
        for (var gate : gates) {
            if (gate.closedFor.contains(entry.pod.name())) {
                closed.add(gate.name());
            }
        }
        return closed;
    }

    private long backoffEnd(Entry entry) {
        int failures = entry.errors > 0 ? entry.errors : entry.unschedulableCount;
        if (failures == 0) {
            return Long.MIN_VALUE;
        }
        long seconds = Math.min(10, 1L << Math.min(failures - 1, 10));
        return (entry.timestamp + seconds * 1000) / 1000 * 1000;
    }
}
