package io.berth.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.port.AttemptResult;
import io.berth.kube.connection.ClientMetrics.Target;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.PrometheusText;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The rules, alerts and dashboards that most clusters use (kubernetes-mixin) find their series.
@Tag("P-271")
class MixinTest {
    /// What its files about the scheduler name, with the labels they group by.
    private static final Map<String, Set<String>> USED =
            Map.of(
                    "scheduler_pod_scheduling_sli_duration_seconds", Set.of(),
                    "scheduler_scheduling_attempt_duration_seconds", Set.of(),
                    "scheduler_scheduling_algorithm_duration_seconds", Set.of(),
                    "rest_client_requests_total", Set.of("code"),
                    "rest_client_request_duration_seconds", Set.of("verb"),
                    "process_resident_memory_bytes", Set.of(),
                    "process_cpu_seconds_total", Set.of());

    @Test
    void seriesOfTheMixinAreThere() {
        var metrics = new ProcessMetrics(MetricsSettings.DEFAULT);
        metrics.scheduler().podScheduled(1, 5, false);
        metrics.scheduler().profile("default-scheduler").attempt(AttemptResult.SCHEDULED, 5);
        var target = new Target("GET", "host:443");
        metrics.client().exchanged(target, "200");
        metrics.client().requested(target, 5);
        var read = PrometheusText.read(metrics.process().text());
        USED.forEach((name, labels) -> {
            assertThat(read.families()).containsKey(name);
            assertThat(read.family(name).labels).as(name).containsAll(labels);
        });
    }
}
