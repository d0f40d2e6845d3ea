package io.berth.kube.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// A token bucket: `burst` requests at once, `qps` a second in the long run.
///
/// A caller takes its place in line under a lock that is held for a few instructions and then
/// sleeps outside of it, in the order of arrival. Thread-safe.
final class RateLimiter {
    /// Lets everything pass.
    static final RateLimiter OFF = new RateLimiter(-1, 0, System::nanoTime);

    private final double qps;
    private final int burst;
    private final LongSupplier nanos;
    private double tokens;
    private long countedAt;

    RateLimiter(double qps, int burst, LongSupplier nanos) {
        this.qps = qps;
        this.burst = burst;
        this.nanos = nanos;
        this.tokens = burst;
        this.countedAt = nanos.getAsLong();
    }

    /// @throws ConfigException where a rate has no burst
    static RateLimiter of(double qps, int burst) {
        if (qps <= 0) {
            return OFF;
        }
        if (burst <= 0) {
            throw new ConfigException(
                    "burst is required to be greater than 0 when RateLimiter is not set and QPS is"
                            + " set to greater than 0");
        }
        return new RateLimiter(qps, burst, System::nanoTime);
    }

    /// Waits for its turn.
    void acquire() throws InterruptedException {
        long wait = reserveNanos();
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    /// Takes a token, possibly one of the future, and says how long to wait for it.
    synchronized long reserveNanos() {
        if (qps <= 0) {
            return 0;
        }
        long now = nanos.getAsLong();
        tokens = Math.min(burst, tokens + (now - countedAt) * qps / 1e9);
        countedAt = now;
        tokens -= 1;
        return tokens >= 0 ? 0 : (long) (-tokens * 1e9 / qps);
    }
}
