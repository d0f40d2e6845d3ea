package io.berth.engine.cycle;

import io.berth.api.model.GoDuration;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.WaitingPod;
import io.berth.engine.framework.Rejection;
import io.berth.engine.port.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Pods that keep their place while permit plugins make up their minds (rules E-131, E-132).
///
/// Looked up and decided from any thread; each pod guards itself. Time-outs and the follow-up of a
/// decision happen on the engine thread.
public final class WaitingPods {
    /// No plugin can make a pod wait for longer.
    static final Duration LONGEST = Duration.ofMinutes(15);

    private final Map<String, Waiting> byUid = new ConcurrentHashMap<>();
    private final Executor onEngine;
    private final TimeSource time;

    public WaitingPods(Executor onEngine, TimeSource time) {
        this.onEngine = onEngine;
        this.time = time;
    }

    /// What became of a waiting pod.
    sealed interface Decision {
        record Allowed() implements Decision {}

        record Rejected(Rejection rejection) implements Decision {}

        /// Rejected on behalf of a more important pod: to be tried again.
        record Preempted(String message) implements Decision {}
    }

    public Collection<WaitingPod> all() {
        return List.copyOf(byUid.values());
    }

    public @Nullable WaitingPod find(String uid) {
        return byUid.get(uid);
    }

    void add(Pod pod, Map<String, Duration> waits) {
        byUid.put(pod.uid(), new Waiting(pod, waits, time.nowMillis()));
    }

    void drop(String uid) {
        byUid.remove(uid);
    }

    /// Calls back on the engine thread once the pod is decided; at once where it is, or where it
    /// never had to wait. Engine thread only.
    void whenDecided(String uid, Consumer<Decision> follow) {
        var pod = byUid.get(uid);
        if (pod == null) {
            follow.accept(new Decision.Allowed());
        } else {
            pod.follow(decision -> {
                byUid.remove(uid);
                follow.accept(decision);
            });
        }
    }

    /// Rejects the pods whose time is up. Engine thread only.
    public void expire() {
        long now = time.nowMillis();
        for (var pod : byUid.values()) {
            pod.expire(now);
        }
    }

    /// When the next pod's time is up; `Long.MAX_VALUE` where none waits.
    public long nextDeadlineMillis() {
        long next = Long.MAX_VALUE;
        if (byUid.isEmpty()) {
            return next;
        }
        for (var pod : byUid.values()) {
            next = Math.min(next, pod.deadline());
        }
        return next;
    }

    /// One waiting pod. The first decision stands.
    private final class Waiting implements WaitingPod {
        private final Pod pod;
        private final Map<String, Limit> pending = new LinkedHashMap<>();
        private @Nullable Decision decision;
        private @Nullable Consumer<Decision> follower;

        private record Limit(Duration length, long deadlineMillis) {}

        Waiting(Pod pod, Map<String, Duration> waits, long nowMillis) {
            this.pod = pod;
            waits.forEach((plugin, wait) -> {
                var limit = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
                pending.put(plugin, new Limit(limit, nowMillis + limit.toMillis()));
            });
        }

        @Override
        public Pod pod() {
            return pod;
        }

        @Override
        public synchronized List<String> pendingPlugins() {
            return List.copyOf(pending.keySet());
        }

        @Override
        public synchronized void allow(String plugin) {
            if (pending.remove(plugin) != null && pending.isEmpty()) {
                decide(new Decision.Allowed());
            }
        }

        @Override
        public boolean reject(String plugin, String message) {
            return decide(
                    new Decision.Rejected(new Rejection(plugin, Refusal.mayPreempt(message))));
        }

        @Override
        public boolean preempt(String plugin, String message) {
            return decide(new Decision.Preempted(message));
        }

        private synchronized boolean decide(Decision made) {
            if (decision != null) {
                return false;
            }
            decision = made;
            tell();
            return true;
        }

        synchronized void follow(Consumer<Decision> consumer) {
            follower = consumer;
            if (decision != null) {
                tell();
            }
        }

        private void tell() {
            var who = follower;
            var what = decision;
            if (who != null && what != null) {
                follower = null;
                onEngine.execute(() -> who.accept(what));
            }
        }

        void expire(long nowMillis) {
            for (var late : late(nowMillis)) {
                reject(late.getKey(), late.getValue());
            }
        }

        private synchronized List<Map.Entry<String, String>> late(long nowMillis) {
            var result = new ArrayList<Map.Entry<String, String>>();
            pending.forEach((plugin, limit) -> {
                if (nowMillis >= limit.deadlineMillis) {
                    result.add(
                            Map.entry(
                                    plugin,
                                    "rejected due to timeout after waiting %s at plugin %s"
                                            .formatted(GoDuration.format(limit.length), plugin)));
                }
            });
            return result;
        }

        synchronized long deadline() {
            long next = Long.MAX_VALUE;
            if (decision == null) {
                for (var limit : pending.values()) {
                    next = Math.min(next, limit.deadlineMillis);
                }
            }
            return next;
        }
    }
}
