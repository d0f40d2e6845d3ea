package io.berth.sim.invariant;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.engine.queue.SubQueue;
import io.berth.sim.plain.Broken;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whose turn it is, by the letter of the contract: the most important of the active pods, and of
/// these the one that came first, where pods of the first list have come together (E-66); a pod
/// that backs off only when its time has come, or when nobody else is ready (E-41, E-42, E-49 to
/// E-51).
final class Turns implements Invariant {
    private static final int[] BACKOFF_SECONDS = {1, 2, 4, 8, 10};
    private static final long WINDOW_MILLIS = 1000;

    private final Watched watched;
    private final Preemptions preemptions;
    private final Map<String, Away> byUid = new HashMap<>();

    /// Pods as they were in the queue after the last step, by uid.
    private final Map<String, QueuedPodInfo> queued = new HashMap<>();

    /// Keys of claims that could not be freed for a pod, which is tried again at once.
    private final Set<String> notFreed = new HashSet<>();

    /// A pod that failed.
    private static final class Away {
        private final QueuedPodInfo info;
        private int refusals;
        private int errors;
        private long endMillis;

        /// Whether it was held back since: it counts as refused then, even where it had met an
        /// error (E-51).
        private boolean wasGated;

        Away(QueuedPodInfo info) {
            this.info = info;
        }

        void failed(long nowMillis) {
            if (isError()) {
                errors++;
            } else {
                refusals++;
                errors = 0;
            }
            int times = errors > 0 ? errors : refusals;
            int seconds = BACKOFF_SECONDS[Math.min(times, BACKOFF_SECONDS.length) - 1];
            long end = nowMillis + 1000L * seconds;
            endMillis = end - end % WINDOW_MILLIS;
            wasGated = info.isGated();
        }

        /// One that is held back says by now who does that, not what it failed for.
        private boolean isError() {
            return info.isGated()
                    ? info.consecutiveErrors() > 0
                    : info.unschedulablePlugins().isEmpty() && info.pendingPlugins().isEmpty();
        }

        boolean isOver(long nowMillis) {
            return nowMillis >= endMillis + WINDOW_MILLIS;
        }
    }

    /// @param preemptions who has preempted others may be activated out of turn
    Turns(Watched watched, Preemptions preemptions) {
        this.watched = watched;
        this.preemptions = preemptions;
    }

    /// An attempt came to nothing. Where the pod is not back in the queue, an earlier attempt may
    /// still bring it back.
    @Override
    public void atFailure(Pod pod) {
        var info = Inspection.of(watched.engine()).queue().find(pod.key());
        if (info == null || !info.pod().uid().equals(pod.uid())) {
            return;
        }
        var away = byUid.get(pod.uid());
        if (away == null || away.info != info) {
            away = new Away(info);
            byUid.put(pod.uid(), away);
        }
        away.failed(watched.time().nowMillis());
    }

    @Override
    public void atAnswer(Write write, @Nullable ClusterException failure) {
        if (failure != null
                && write instanceof Write.SetClaimStatus(var claim, var wanted)
                && wanted.allocation() == null) {
            notFreed.add(claim.key());
        }
    }

    private boolean isActivated(Pod pod) {
        return preemptions.isPreemptor(pod.uid())
                || !pod.spec().resourceClaims().isEmpty() && !notFreed.isEmpty();
    }

    @Override
    public void atAttempt(Pod pod) {
        var queue = Inspection.of(watched.engine()).queue();
        if (!queue.isInFlight(pod.uid())) {
            return;
        }
        var tried = queued.get(pod.uid());
        queue.forEachPending(info -> {
            if (info.subQueue() == SubQueue.ACTIVE) {
                requireInTurn(pod, tried, info);
            }
        });
        var away = byUid.get(pod.uid());
        if (away != null && !away.isOver(watched.time().nowMillis()) && !isActivated(pod)) {
            Broken.require(
                    (away.errors == 0 || away.wasGated) && queue.counts().active() == 0,
                    "%s is tried though it backs off until %d: %d errors, %d refusals",
                    pod.key(),
                    away.endMillis,
                    away.errors,
                    away.refusals);
        }
    }

    /// @param tried what the queue knew of the pod; null where it came and left within one step
    private static void requireInTurn(Pod pod, @Nullable QueuedPodInfo tried, QueuedPodInfo other) {
        int ours = pod.spec().priority();
        int theirs = other.pod().spec().priority();
        Broken.require(
                theirs <= ours, "%s is tried before %s, which is more important", pod.key(), other);
        Broken.require(
                theirs < ours
                        || tried == null
                        || tried.timestampMillis() <= other.timestampMillis(),
                "%s is tried before %s, which came before it",
                pod.key(),
                other);
    }

    @Override
    public void afterStep() {
        queued.clear();
        Inspection.of(watched.engine())
                .queue()
                .forEachPending(info -> {
                    queued.put(info.pod().uid(), info);
                    check(info);
                });
    }

    private void check(QueuedPodInfo info) {
        var away = byUid.get(info.pod().uid());
        if (!info.subQueue().isBackoff()) {
            if (away != null && away.info == info) {
                away.wasGated |= info.isGated();
            }
            return;
        }
        Broken.require(away != null && away.info == info, "%s backs off, but has not failed", info);
        if (away != null) {
            Broken.require(
                    info.backoffExpirationMillis().orElse(away.endMillis) == away.endMillis
                            && !away.isOver(watched.time().nowMillis()),
                    "%s backs off until %s instead of %d, at %d",
                    info,
                    info.backoffExpirationMillis(),
                    away.endMillis,
                    watched.time().nowMillis());
        }
    }
}
