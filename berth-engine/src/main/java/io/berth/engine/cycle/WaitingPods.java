package io.berth.engine.cycle;

import io.berth.api.amount.GoDuration;
import io.berth.api.handle.WaitingPod;
import io.berth.api.model.Pod;
import io.berth.engine.journal.Outside;
import io.berth.engine.message.Message;
import io.berth.engine.message.Permission;
import io.berth.engine.port.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Pods that keep their place while permit plugins make up their minds (rules E-131, E-132).
///
/// Looked up and decided from any thread. Nobody holds a lock meanwhile: what was said of a pod is
/// one value that is replaced as a whole. The engine goes by what it was told: each word reaches it
/// as a message, so that nothing changes for it in the middle of a step.
public final class WaitingPods {
    /// No plugin can make a pod wait for longer.
    static final Duration LONGEST = Duration.ofMinutes(15);

    private final Map<String, Waiting> byUid = new ConcurrentHashMap<>();
    private final Consumer<Message> mailbox;
    private final TimeSource time;
    private final Outside outside;

    public WaitingPods(Consumer<Message> mailbox, TimeSource time, Outside outside) {
        this.mailbox = mailbox;
        this.time = time;
        this.outside = outside;
    }

    public Collection<WaitingPod> all() {
        return List.copyOf(byUid.values());
    }

    public @Nullable WaitingPod find(String uid) {
        return byUid.get(uid);
    }

    /// How many pods wait.
    public int count() {
        return byUid.size();
    }

    /// @param attempt the attempt that placed the pod
    void add(Pod pod, long attempt, Map<String, Duration> waits) {
        byUid.put(pod.uid(), new Waiting(pod, attempt, waits, time.nowMillis()));
    }

    void drop(String uid) {
        byUid.remove(uid);
    }

    /// The engine is told of somebody's word.
    void told(Message.PermitDecided word) {
        var pod = byUid.get(word.podUid());
        if (pod != null && pod.attempt == word.attempt()) {
            pod.told(word);
        }
    }

    /// What the engine knows to be decided on a pod; null while nothing is. A pod that never had to
    /// wait is allowed.
    @Nullable Decision decisionOn(String uid) {
        var pod = byUid.get(uid);
        return pod == null ? Decision.ALLOWED : pod.decision;
    }

    /// What became of a waiting pod.
    ///
    /// @param plugin on whose behalf
    record Decision(String plugin, Permission permission) {
        static final Decision ALLOWED = new Decision("", Permission.ALLOWED);
    }

    /// Rejects the pods whose time is up. Engine thread only.
    public void expire() {
        long now = time.nowMillis();
        for (var pod : byUid.values()) {
            pod.expire(now);
        }
    }

    /// When the next pod's time is up; `Long.MAX_VALUE` where none waits. Engine thread only.
    public long nextDeadlineMillis() {
        long next = Long.MAX_VALUE;
        if (byUid.isEmpty()) {
            return next;
        }
        for (var pod : byUid.values()) {
            next = Math.min(next, pod.deadlineMillis());
        }
        return next;
    }

    /// For how long a plugin may make a pod wait.
    private record Limit(Duration length, long deadlineMillis) {
        String text(String plugin) {
            return "rejected due to timeout after waiting %s at plugin %s"
                    .formatted(GoDuration.format(length), plugin);
        }
    }

    /// What was said of a pod, by anybody.
    ///
    /// @param pending the plugins that have not allowed it
    private record Said(Set<String> pending, boolean isDecided) {
        Said allowedBy(String plugin) {
            if (isDecided || !pending.contains(plugin)) {
                return this;
            }
            var others =
                    pending.stream()
                            .filter(other -> !other.equals(plugin))
                            .collect(Collectors.toUnmodifiableSet());
            return new Said(others, others.isEmpty());
        }

        Said decided() {
            return isDecided ? this : new Said(pending, true);
        }

        Said timedOutAt(String plugin) {
            return pending.contains(plugin) ? decided() : this;
        }
    }

    /// One waiting pod. The first decision stands.
    private final class Waiting implements WaitingPod {
        private final Pod pod;
        private final long attempt;
        private final AtomicReference<Said> said;

        // What the engine knows, in the order of the plugins; changed by its thread alone.
        private volatile Map<String, Limit> pending;
        private @Nullable Decision decision;

        Waiting(Pod pod, long attempt, Map<String, Duration> waits, long nowMillis) {
            this.pod = pod;
            this.attempt = attempt;
            var limits = new LinkedHashMap<String, Limit>();
            waits.forEach((plugin, wait) -> {
                var limit = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
                limits.put(plugin, new Limit(limit, nowMillis + limit.toMillis()));
            });
            this.pending = limits;
            this.said = new AtomicReference<>(new Said(Set.copyOf(limits.keySet()), false));
        }

        @Override
        public Pod pod() {
            return pod;
        }

        @Override
        public List<String> pendingPlugins() {
            var open = said.get().pending;
            return pending.keySet().stream()
                    .filter(plugin -> outside.is(() -> open.contains(plugin)))
                    .toList();
        }

        @Override
        public void allow(String plugin) {
            say(plugin, Permission.ALLOWED, known -> known.allowedBy(plugin));
        }

        @Override
        public boolean reject(String plugin, String message) {
            return say(plugin, new Permission.Rejected(message), Said::decided);
        }

        @Override
        public boolean preempt(String plugin, String message) {
            return say(plugin, new Permission.Preempted(message), Said::decided);
        }

        /// @return whether it made a difference
        @SuppressWarnings("ReferenceEquality") // a word without effect leaves the very value
        private boolean say(String plugin, Permission permission, UnaryOperator<Said> change) {
            boolean counts =
                    outside.is(() -> {
                        var before = said.getAndUpdate(change);
                        return change.apply(before) != before;
                    });
            if (counts) {
                mailbox.accept(new Message.PermitDecided(pod.uid(), attempt, plugin, permission));
            }
            return counts;
        }

        void told(Message.PermitDecided word) {
            if (decision != null) {
                return;
            }
            if (word.permission() instanceof Permission.Allowed) {
                var others = new LinkedHashMap<>(pending);
                others.remove(word.plugin());
                pending = others;
                if (!others.isEmpty()) {
                    return;
                }
            }
            decision = new Decision(word.plugin(), word.permission());
        }

        long deadlineMillis() {
            long next = Long.MAX_VALUE;
            if (decision == null) {
                for (var limit : pending.values()) {
                    next = Math.min(next, limit.deadlineMillis);
                }
            }
            return next;
        }

        void expire(long nowMillis) {
            if (decision == null) {
                pending.forEach((plugin, limit) -> {
                    if (nowMillis >= limit.deadlineMillis) {
                        say(
                                plugin,
                                new Permission.Rejected(limit.text(plugin)),
                                known -> known.timedOutAt(plugin));
                    }
                });
            }
        }
    }
}
