package io.berth.kube.client;

import java.util.function.LongSupplier;

/// `burst` tokens at once, `qps` a second in the long run. Used under its owner's lock.
final class TokenBucket {
    private final double qps;
    private final int burst;
    private final LongSupplier nanos;
    private double tokens;
    private long countedAt;

    TokenBucket(double qps, int burst, LongSupplier nanos) {
        this.qps = qps;
        this.burst = burst;
        this.nanos = nanos;
        this.tokens = burst;
        this.countedAt = nanos.getAsLong();
    }

    /// How long to wait for a token; zero where there is one.
    long waitNanos() {
        long now = nanos.getAsLong();
        tokens = Math.min(burst, tokens + (now - countedAt) * qps / 1e9);
        countedAt = now;
        return tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) * 1e9 / qps);
    }

    /// Takes a token that is there.
    void take() {
        tokens -= 1;
    }
}
