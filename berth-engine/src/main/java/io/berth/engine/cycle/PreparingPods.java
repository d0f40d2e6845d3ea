package io.berth.engine.cycle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Pods whose binding is being prepared (PreBind), so that a preemption can still stop them without
/// troubling the API server (rule E-133).
///
/// ```
///  begin ──► open ──┬─ prepared ──► bound; a cancel comes too late
///                   └─ cancel ────► cancelled; the binding fails with the message
/// ```
///
/// Used by binding threads and by whoever cancels; the first word on a pod stands.
public final class PreparingPods {
    private final Map<String, AtomicReference<@Nullable Word>> byUid = new ConcurrentHashMap<>();

    /// @param message why the pod is not to be bound; null where it is
    private record Word(@Nullable String message) {}

    void begin(String uid) {
        byUid.put(uid, new AtomicReference<>());
    }

    void end(String uid) {
        byUid.remove(uid);
    }

    /// Stops the preparation of a pod.
    ///
    /// @return whether the pod will not be bound
    public boolean cancel(String uid, String message) {
        var decision = byUid.get(uid);
        if (decision == null) {
            return false;
        }
        decision.compareAndSet(null, new Word(message));
        return cancelled(uid) != null;
    }

    /// Whether the pod was stopped, but its preparation has not come to its end yet.
    public boolean isCancelled(String uid) {
        return cancelled(uid) != null;
    }

    /// What it was cancelled with, null where it was not.
    @Nullable String cancelled(String uid) {
        var decision = byUid.get(uid);
        var word = decision == null ? null : decision.get();
        return word == null ? null : word.message;
    }

    /// Says that everything is prepared: from here on a cancel comes too late.
    ///
    /// @return what it was cancelled with before, null where it was not
    @Nullable String prepared(String uid) {
        var decision = byUid.get(uid);
        if (decision != null) {
            decision.compareAndSet(null, new Word(null));
        }
        return cancelled(uid);
    }
}
