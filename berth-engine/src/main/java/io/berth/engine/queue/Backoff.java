package io.berth.engine.queue;

/// How long a pod stays away after failures: 1, 2, 4, 8, 10, 10 ... seconds by default.
///
/// With [QueueSettings#popFromBackoff] the end of a backoff is cut down to a whole second, and all
/// pods of one second form a window: they are ordered among each other like active pods and leave
/// together at the next whole second. Worked example: failed for the first time at 12:00:00.700;
/// the backoff ends at 12:00:01.700, cut to 12:00:01; the pod leaves at 12:00:02.
///
/// Without it ends are exact, and pods leave at ticks that are whole seconds after the start of the
/// queue.
final class Backoff {
    static final long WINDOW_MILLIS = 1000;

    /// The end of the backoff of a pod that has none: always past.
    static final long NONE = Long.MIN_VALUE;

    private final long initialMillis;
    private final long maxMillis;
    private final boolean windows;
    private final long phaseMillis;

    Backoff(QueueSettings settings, long startMillis) {
        initialMillis = settings.initialBackoff().toMillis();
        maxMillis = settings.maxBackoff().toMillis();
        windows = settings.popFromBackoff();
        phaseMillis = windows ? 0 : Math.floorMod(startMillis, WINDOW_MILLIS);
    }

    long durationMillis(int failures) {
        if (failures == 0 || maxMillis == 0) {
            return 0;
        }
        int shift = Math.min(failures - 1, Long.SIZE - 1);
        return initialMillis > maxMillis >> shift ? maxMillis : initialMillis << shift;
    }

    /// When the pod's backoff ends, worked out once per failure.
    long expirationMillis(QueuedPodInfo info) {
        int failures =
                info.consecutiveErrors() > 0 ? info.consecutiveErrors() : info.unschedulableCount();
        if (failures == 0 || maxMillis == 0) {
            return NONE;
        }
        if (!info.hasBackoffExpiration()) {
            info.backoffExpirationMillis =
                    windowStart(info.timestampMillis() + durationMillis(failures));
        }
        return info.backoffExpirationMillis;
    }

    /// A pod whose backoff ends in the current window still backs off.
    boolean isBackingOff(QueuedPodInfo info, long nowMillis) {
        return expirationMillis(info) >= windowStart(nowMillis);
    }

    /// Whether a pod should have left by now: its backoff ended before the last tick.
    boolean isOver(QueuedPodInfo info, long nowMillis) {
        long lastTick =
                Math.floorDiv(nowMillis - phaseMillis, WINDOW_MILLIS) * WINDOW_MILLIS + phaseMillis;
        return expirationMillis(info) < lastTick;
    }

    /// The tick at which a pod leaves whose backoff ends at the given time.
    long leavesAtMillis(long expirationMillis) {
        return (Math.floorDiv(expirationMillis - phaseMillis, WINDOW_MILLIS) + 1) * WINDOW_MILLIS
                + phaseMillis;
    }

    private long windowStart(long millis) {
        return windows ? Math.floorDiv(millis, WINDOW_MILLIS) * WINDOW_MILLIS : millis;
    }
}
