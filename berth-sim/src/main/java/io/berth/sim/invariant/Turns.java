package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.port.TimeSource;
import io.berth.engine.queue.Place;
import io.berth.engine.queue.QueuedPodInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Whose turn it is, by the letter of the contract: the most important of the active pods; a pod
/// that backs off only when its time has come, or when nobody else is ready (E-41, E-42, E-49 to
/// E-51).
public final class Turns {
    private static final int[] BACKOFF_SECONDS = {1, 2, 4, 8, 10};
    private static final long WINDOW_MILLIS = 1000;

    private final Supplier<Engine> engine;
    private final TimeSource time;
    private final Predicate<String> mayBeActivated;
    private final Map<String, Away> byUid = new HashMap<>();

    /// A pod that failed.
    private static final class Away {
        private final QueuedPodInfo info;
        private int refusals;
        private int errors;
        private long endMillis;

        Away(QueuedPodInfo info) {
            this.info = info;
        }

        void failed(long nowMillis) {
            if (info.unschedulablePlugins().isEmpty() && info.pendingPlugins().isEmpty()) {
                errors++;
            } else {
                refusals++;
                errors = 0;
            }
            int times = errors > 0 ? errors : refusals;
            int seconds = BACKOFF_SECONDS[Math.min(times, BACKOFF_SECONDS.length) - 1];
            long end = nowMillis + 1000L * seconds;
            endMillis = end - end % WINDOW_MILLIS;
        }

        boolean isOver(long nowMillis) {
            return nowMillis >= endMillis + WINDOW_MILLIS;
        }
    }

    /// @param mayBeActivated whether a plugin may ask for this uid out of turn
    public Turns(Supplier<Engine> engine, TimeSource time, Predicate<String> mayBeActivated) {
        this.engine = engine;
        this.time = time;
        this.mayBeActivated = mayBeActivated;
    }

    /// An attempt came to nothing. Where the pod is not back in the queue, an earlier attempt may
    /// still bring it back.
    public void failed(Pod pod) {
        var info = engine.get().queue().find(pod.key());
        if (info == null || !info.pod().uid().equals(pod.uid())) {
            return;
        }
        var away = byUid.get(pod.uid());
        if (away == null || away.info != info) {
            away = new Away(info);
            byUid.put(pod.uid(), away);
        }
        away.failed(time.nowMillis());
    }

    /// A plugin is asked about the pod, perhaps because an attempt begins.
    void asked(Pod pod) {
        var queue = engine.get().queue();
        if (!queue.isInFlight(pod.uid())) {
            return;
        }
        queue.forEachPending(info ->
                Broken.require(
                        info.place() != Place.ACTIVE
                                || info.pod().spec().priority() <= pod.spec().priority(),
                        "%s is tried before %s, which is more important",
                        pod.key(),
                        info));
        var away = byUid.get(pod.uid());
        if (away != null && !away.isOver(time.nowMillis()) && !mayBeActivated.test(pod.uid())) {
            Broken.require(
                    away.errors == 0 && queue.counts().active() == 0,
                    "%s is tried though it backs off until %d: %d errors, %d refusals",
                    pod.key(),
                    away.endMillis,
                    away.errors,
                    away.refusals);
        }
    }

    /// Looks at a pod in the queue after a step of the engine.
    void check(QueuedPodInfo info) {
        if (!info.place().isBackoff()) {
            return;
        }
        var away = byUid.get(info.pod().uid());
        Broken.require(away != null && away.info == info, "%s backs off, but has not failed", info);
        if (away != null) {
            Broken.require(
                    info.backoffExpirationMillis().orElse(away.endMillis) == away.endMillis
                            && !away.isOver(time.nowMillis()),
                    "%s backs off until %s instead of %d, at %d",
                    info,
                    info.backoffExpirationMillis(),
                    away.endMillis,
                    time.nowMillis());
        }
    }
}
