package io.berth.config;

import java.time.Duration;

/// How several schedulers agree on the one that works.
public record LeaderElectionConfiguration(
        boolean leaderElect,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod,
        String resourceLock,
        String resourceName,
        String resourceNamespace) {
    public static final LeaderElectionConfiguration DEFAULT =
            new LeaderElectionConfiguration(
                    true,
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2),
                    "leases",
                    "kube-scheduler",
                    "kube-system");
}
