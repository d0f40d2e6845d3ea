package io.berth.engine.cycle;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
/// pod at the moment is asked to come to its end. Nobody holds a lock: what is known of a pod is
/// one value that is replaced as a whole.
public final class PreparingPods {
    private final Map<String, AtomicReference<Progress>> byUid = new ConcurrentHashMap<>();

    /// How far one pod's preparation is.
    ///
    /// @param cancelled what it was cancelled with, null where it was not
    /// @param running how to stop what prepares it now
    private record Progress(
            @Nullable String cancelled, boolean isPrepared, List<Runnable> running) {
        static final Progress BEGUN = new Progress(null, false, List.of());

        Progress cancel(String message) {
            return isPrepared || cancelled != null ? this : new Progress(message, false, running);
        }

        Progress starts(Runnable stop) {
            return cancelled != null
                    ? this
                    : new Progress(
                            null,
                            isPrepared,
                            Stream.concat(running.stream(), Stream.of(stop)).toList());
        }

        Progress ends(Runnable stop) {
            return new Progress(
                    cancelled,
                    isPrepared,
                    running.stream().filter(other -> !other.equals(stop)).toList());
        }

        Progress prepared() {
            return new Progress(cancelled, cancelled == null, running);
        }
    }

    void begin(String uid) {
        byUid.put(uid, new AtomicReference<>(Progress.BEGUN));
    }

    void end(String uid) {
        byUid.remove(uid);
    }

    /// Stops the preparation of a pod.
    ///
    /// @return whether the pod will not be bound
    public boolean cancel(String uid, String message) {
        var progress = byUid.get(uid);
        if (progress == null) {
            return false;
        }
        var before = progress.getAndUpdate(known -> known.cancel(message));
        if (before.isPrepared) {
            return false;
        }
        if (before.cancelled == null) {
            before.running.forEach(Runnable::run);
        }
        return true;
    }

    /// Whether the pod was stopped, but its preparation has not come to its end yet.
    public boolean isCancelled(String uid) {
        return cancelled(uid) != null;
    }

    /// What it was cancelled with, null where it was not.
    @Nullable String cancelled(String uid) {
        return after(uid, known -> known);
    }

    /// Notes work that begins now, and how to stop it.
    ///
    /// @return what the pod was cancelled with before: then the work is not to begin
    @Nullable String starts(String uid, Runnable stop) {
        return after(uid, known -> known.starts(stop));
    }

    /// The work noted with this has come to its end.
    void ends(String uid, Runnable stop) {
        var _ = after(uid, known -> known.ends(stop));
    }

    /// Says that everything is prepared: from here on a cancel comes too late.
    ///
    /// @return what it was cancelled with before, null where it was not
    @Nullable String prepared(String uid) {
        return after(uid, Progress::prepared);
    }

    /// What the pod was cancelled with, after a change.
    private @Nullable String after(String uid, UnaryOperator<Progress> change) {
        var progress = byUid.get(uid);
        return progress == null ? null : progress.updateAndGet(change).cancelled;
    }
}
