package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.port.AttemptResult;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.TimedPoint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class InMemoryMetricsTest {
    private final InMemoryMetrics metrics = new InMemoryMetrics();

    @Test
    void gaugesAndCountersHaveTheirValueAndHistogramsACount() {
        metrics.refused("NodePorts", "default-scheduler", 2);
        metrics.refused("NodePorts", "default-scheduler", -1);
        metrics.refused("NodeName", "default-scheduler", 1);
        metrics.refused("NodeName", "default-scheduler", -1);
        metrics.profile("a").attempt(AttemptResult.SCHEDULED, 5);
        metrics.profile("a").plugin("NodePorts", TimedPoint.FILTER).evaluated(7);

        assertThat(metrics.nonZero("unschedulable_pods"))
                .isEqualTo(Map.of(List.of("NodePorts", "default-scheduler"), 1L));
        assertThat(metrics.value("schedule_attempts_total", "scheduled", "a")).isEqualTo(1);
        assertThat(metrics.total("plugin_evaluation_total")).isEqualTo(7);
        assertThat(metrics.value("never_told")).isZero();
        assertThat(metrics.faults()).isEmpty();
    }

    @Test
    void whatCannotBeIsNoted() {
        metrics.running(EngineMetrics.BINDING, -1);
        metrics.algorithm(-3);
        metrics.podScheduled(0, 1, false);

        assertThat(metrics.faults()).hasSize(3);
    }
}
