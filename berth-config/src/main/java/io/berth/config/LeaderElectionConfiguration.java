package io.berth.config;

import io.berth.api.amount.GoDuration;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value.Fields;
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

    static LeaderElectionConfiguration of(Fields file) {
        return new LeaderElectionConfiguration(
                file.flag("leaderElect", DEFAULT.leaderElect()),
                file.duration("leaseDuration", DEFAULT.leaseDuration()),
                file.duration("renewDeadline", DEFAULT.renewDeadline()),
                file.duration("retryPeriod", DEFAULT.retryPeriod()),
                file.filled("resourceLock", DEFAULT.resourceLock()),
                file.filled("resourceName", DEFAULT.resourceName()),
                file.filled("resourceNamespace", DEFAULT.resourceNamespace()));
    }

    Fields fields() {
        return new FieldsBuilder()
                .put("leaderElect", leaderElect)
                .put("leaseDuration", GoDuration.format(leaseDuration))
                .put("renewDeadline", GoDuration.format(renewDeadline))
                .put("retryPeriod", GoDuration.format(retryPeriod))
                .put("resourceLock", resourceLock)
                .put("resourceName", resourceName)
                .put("resourceNamespace", resourceNamespace)
                .build();
    }
}
