package io.berth.kube.client;

import io.berth.kube.connection.ConfigException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Lets requests go at a rate, those of each lane in the order of arrival.
///
/// Lanes go in their order, but of ten requests that go one is of each lane that waits, so that the
/// later lanes are slow and not stopped. Whoever is next waits for a token; the others wait to be
/// next.
///
/// Thread-safe. The lock is held for a few instructions.
final class RateLimiter {
    /// Of so many requests that go, one is of a lane that waits.
    private static final int SHARE = 10;

    private static final Duration LOOK_AROUND = Duration.ofMillis(50);

    private final @Nullable TokenBucket bucket;
    private final ReentrantLock lock = new ReentrantLock();

    // All under the lock.
    private final Map<Lane, Line> lines = new EnumMap<>(Lane.class);

    private RateLimiter(@Nullable TokenBucket bucket) {
        this.bucket = bucket;
        for (var lane : Lane.values()) {
            lines.put(lane, new Line());
        }
    }

    /// Who waits in a lane, and how many of other lanes went since one of it did.
    private static final class Line {
        final Deque<Condition> waiting = new ArrayDeque<>();
        int othersGone;
    }

    /// @throws ConfigException where a rate has no burst
    static RateLimiter of(double qps, int burst) {
        return of(qps, burst, System::nanoTime);
    }

    /// @param qps zero or less lets everything pass
    static RateLimiter of(double qps, int burst, LongSupplier nanos) {
        if (qps <= 0) {
            return new RateLimiter(null);
        }
        if (burst <= 0) {
            throw new ConfigException(
                    "burst is required to be greater than 0 when RateLimiter is not set and QPS is"
                            + " set to greater than 0");
        }
        return new RateLimiter(new TokenBucket(qps, burst, nanos));
    }

    /// Waits for its turn.
    void acquire(Lane lane) throws InterruptedException {
        acquire(lane, () -> true);
    }

    /// Waits for its turn while that is wanted.
    ///
    /// @param isWanted asked now and then
    /// @return false where it is no longer wanted, and no turn was taken
    boolean acquire(Lane lane, BooleanSupplier isWanted) throws InterruptedException {
        if (bucket == null) {
            return isWanted.getAsBoolean();
        }
        lock.lockInterruptibly();
        try {
            if (next() == null && isWanted.getAsBoolean() && bucket.waitNanos() == 0) {
                bucket.take();
                wentOne(lane);
                return true;
            }
            var me = lock.newCondition();
            lineOf(lane).waiting.add(me);
            try {
                if (!isNext(me, bucket, isWanted)) {
                    return false;
                }
                bucket.take();
                wentOne(lane);
                return true;
            } finally {
                lineOf(lane).waiting.remove(me);
                wakeNext();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isNext(Condition me, TokenBucket tokens, BooleanSupplier isWanted)
            throws InterruptedException {
        while (isWanted.getAsBoolean()) {
            long wait = LOOK_AROUND.toNanos();
            if (me.equals(next())) {
                wait = Math.min(wait, tokens.waitNanos());
                if (wait == 0) {
                    return true;
                }
            }
            var _ = me.awaitNanos(wait);
        }
        return false;
    }

    private void wentOne(Lane lane) {
        lines.values().forEach(line -> line.othersGone = Math.min(line.othersGone + 1, SHARE));
        lineOf(lane).othersGone = 0;
    }

    private Line lineOf(Lane lane) {
        return Objects.requireNonNull(lines.get(lane));
    }

    private @Nullable Condition next() {
        Condition first = null;
        for (var line : lines.values()) {
            var next = line.waiting.peek();
            if (next != null && line.othersGone >= SHARE - 1) {
                return next;
            }
            first = first == null ? next : first;
        }
        return first;
    }

    private void wakeNext() {
        var next = next();
        if (next != null) {
            next.signal();
        }
    }

    /// How many wait.
    int waiting() {
        lock.lock();
        try {
            return lines.values().stream().mapToInt(line -> line.waiting.size()).sum();
        } finally {
            lock.unlock();
        }
    }
}
