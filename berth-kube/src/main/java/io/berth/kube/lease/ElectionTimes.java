package io.berth.kube.lease;

import io.berth.kube.connection.ConfigException;
import java.time.Duration;

/// The timings of an election.
///
/// @param leaseDuration how long others wait, after the last sign of life, before they take over
/// @param renewDeadline how long the leader tries to renew before it gives up
/// @param retryPeriod the pause between tries
public record ElectionTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
    static final double JITTER = 1.2;

    public static final ElectionTimes DEFAULT =
            new ElectionTimes(
                    Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /// @throws ConfigException where no election works with these (P-221)
    public ElectionTimes check() {
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw problem("leaseDuration must be greater than renewDeadline");
        }
        if (renewDeadline.toNanos() <= (long) (JITTER * retryPeriod.toNanos())) {
            throw problem("renewDeadline must be greater than retryPeriod*JitterFactor");
        }
        if (leaseDuration.compareTo(Duration.ofNanos(1)) < 0) {
            throw problem("leaseDuration must be greater than zero");
        }
        if (renewDeadline.compareTo(Duration.ofNanos(1)) < 0) {
            throw problem("renewDeadline must be greater than zero");
        }
        if (retryPeriod.compareTo(Duration.ofNanos(1)) < 0) {
            throw problem("retryPeriod must be greater than zero");
        }
        return this;
    }

    static ConfigException problem(String text) {
        return new ConfigException("couldn't create leader elector: " + text);
    }

    /// What the lease tells others: whole seconds.
    int leaseSeconds() {
        return (int) leaseDuration.toSeconds();
    }

    /// How long one request to the lease may take (P-128).
    public Duration requestTimeout() {
        var half = renewDeadline.dividedBy(2);
        return half.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : half;
    }
}
