package io.berth.kube.client;

import io.berth.kube.connection.ConfigException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Lets requests go at a rate, those of each lane in the order of arrival.
///
/// Ordinary requests go first, but where late ones wait, every tenth that goes is one of theirs, so
/// that they are slow and not stopped. Whoever is next waits for a token; the others wait to be
/// next.
///
/// Thread-safe. The lock is held for a few instructions.
final class RateLimiter {
    /// Of so many requests that go, one is late where any is.
    private static final int LATE_SHARE = 10;

    private static final Duration LOOK_AROUND = Duration.ofMillis(50);

    private final @Nullable TokenBucket bucket;
    private final ReentrantLock lock = new ReentrantLock();

    // All under the lock.
    private final Deque<Condition> ordinary = new ArrayDeque<>();
    private final Deque<Condition> late = new ArrayDeque<>();
    private int sinceLate;

    private RateLimiter(@Nullable TokenBucket bucket) {
        this.bucket = bucket;
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
            var me = lock.newCondition();
            lineOf(lane).add(me);
            try {
                if (!isNext(me, bucket, isWanted)) {
                    return false;
                }
                bucket.take();
                sinceLate = lane == Lane.LATE ? 0 : Math.min(sinceLate + 1, LATE_SHARE);
                return true;
            } finally {
                lineOf(lane).remove(me);
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

    private Deque<Condition> lineOf(Lane lane) {
        return switch (lane) {
            case ORDINARY -> ordinary;
            case LATE -> late;
        };
    }

    private @Nullable Condition next() {
        boolean isLate = ordinary.isEmpty() || !late.isEmpty() && sinceLate >= LATE_SHARE - 1;
        return isLate ? late.peek() : ordinary.peek();
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
            return ordinary.size() + late.size();
        } finally {
            lock.unlock();
        }
    }
}
