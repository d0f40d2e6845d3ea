package io.berth.engine.cycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Pods whose binding is being prepared (PreBind), so that a preemption can still stop them without
/// troubling the API server (rule E-133).
///
/// ```
///  begin ──► open ──┬─ prepared ──► bound; a cancel comes too late
///                   └─ cancel ────► cancelled; the binding fails with the message
/// ```
///
/// Used by binding threads and by whoever cancels; the first word on a pod stands. What prepares a
/// pod at the moment is asked to come to its end.
public final class PreparingPods {
    private final Map<String, Preparation> byUid = new ConcurrentHashMap<>();

    /// One pod's preparation. Guarded by itself; nothing else is locked meanwhile.
    private static final class Preparation {
        private @Nullable String cancelled;
        private boolean isPrepared;
        private final List<Runnable> running = new ArrayList<>();
    }

    void begin(String uid) {
        byUid.put(uid, new Preparation());
    }

    void end(String uid) {
        byUid.remove(uid);
    }

    /// Stops the preparation of a pod.
    ///
    /// @return whether the pod will not be bound
    public boolean cancel(String uid, String message) {
        var preparation = byUid.get(uid);
        if (preparation == null) {
            return false;
        }
        List<Runnable> toStop;
        synchronized (preparation) {
            if (preparation.isPrepared) {
                return false;
            }
            if (preparation.cancelled != null) {
                return true;
            }
            preparation.cancelled = message;
            toStop = List.copyOf(preparation.running);
        }
        toStop.forEach(Runnable::run);
        return true;
    }

    /// Whether the pod was stopped, but its preparation has not come to its end yet.
    public boolean isCancelled(String uid) {
        return cancelled(uid) != null;
    }

    /// What it was cancelled with, null where it was not.
    @Nullable String cancelled(String uid) {
        var preparation = byUid.get(uid);
        if (preparation == null) {
            return null;
        }
        synchronized (preparation) {
            return preparation.cancelled;
        }
    }

    /// Notes work that begins now, and how to stop it.
    ///
    /// @return what the pod was cancelled with before: then the work is not to begin
    @Nullable String starts(String uid, Runnable stop) {
        var preparation = byUid.get(uid);
        if (preparation == null) {
            return null;
        }
        synchronized (preparation) {
            if (preparation.cancelled == null) {
                preparation.running.add(stop);
            }
            return preparation.cancelled;
        }
    }

    /// The work noted with this has come to its end.
    void ends(String uid, Runnable stop) {
        var preparation = byUid.get(uid);
        if (preparation != null) {
            synchronized (preparation) {
                preparation.running.remove(stop);
            }
        }
    }

    /// Says that everything is prepared: from here on a cancel comes too late.
    ///
    /// @return what it was cancelled with before, null where it was not
    @Nullable String prepared(String uid) {
        var preparation = byUid.get(uid);
        if (preparation == null) {
            return null;
        }
        synchronized (preparation) {
            preparation.isPrepared = preparation.cancelled == null;
            return preparation.cancelled;
        }
    }
}
