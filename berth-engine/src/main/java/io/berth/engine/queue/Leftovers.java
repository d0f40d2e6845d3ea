package io.berth.engine.queue;

import java.time.Duration;
import java.util.List;

/// Finds the pods that have been parked for too long: at fixed times, 30 seconds apart (rule E-58).
/// Owned by the engine thread.
final class Leftovers {
    static final long PERIOD_MILLIS = 30_000;

    private final Parked parked;
    private final long mostMillis;
    private long nextLookMillis;

    /// @param most how long a pod may be parked
    Leftovers(Parked parked, Duration most, long nowMillis) {
        this.parked = parked;
        this.mostMillis = most.toMillis();
        this.nextLookMillis = nowMillis + PERIOD_MILLIS;
    }

    /// The pods to be moved now, in the order of parking; none before the time for a look has come.
    List<QueuedPodInfo> due(long nowMillis) {
        if (nowMillis < nextLookMillis) {
            return List.of();
        }
        nextLookMillis = lookAtOrAfter(nowMillis + 1);
        // As if the look had been on time, so that a loop that was busy changes nothing.
        long beforeMillis = nextLookMillis - PERIOD_MILLIS - mostMillis;
        return parked.oldestMillis() >= beforeMillis
                ? List.of()
                : parked.waitingSince(beforeMillis);
    }

    /// When a look may find something, `Long.MAX_VALUE` while no pod is parked.
    long nextMillis() {
        long oldest = parked.oldestMillis();
        return oldest == Long.MAX_VALUE ? Long.MAX_VALUE : lookAtOrAfter(oldest + mostMillis + 1);
    }

    private long lookAtOrAfter(long millis) {
        long periods = Math.ceilDiv(millis - nextLookMillis, PERIOD_MILLIS);
        return nextLookMillis + Math.max(0, periods) * PERIOD_MILLIS;
    }
}
