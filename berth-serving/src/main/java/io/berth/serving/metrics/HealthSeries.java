package io.berth.serving.metrics;

import static io.berth.serving.metrics.Stability.STABLE;

import io.berth.serving.page.HealthObserver;

/// The page `/metrics/slis`: how the health checks went (section 10.5 of the process contract).
/// From any thread.
public final class HealthSeries implements HealthObserver {
    private final Family<Gauge> last;
    private final Family<Counter> all;

    public HealthSeries(Registry registry) {
        last =
                registry.gauge(
                        Definition.gauge(
                                "kubernetes_healthcheck",
                                STABLE,
                                "Whether a health check passed when it was last made.",
                                "name",
                                "type"));
        all =
                registry.counter(
                        Definition.counter(
                                "kubernetes_healthchecks_total",
                                STABLE,
                                "Health checks, by result.",
                                "name",
                                "status",
                                "type"));
        ProcessSeries.registerStartTime(registry);
    }

    @Override
    public void checked(String check, String endpoint, boolean passed) {
        last.with(check, endpoint).set(passed ? 1 : 0);
        all.with(check, passed ? "success" : "error", endpoint).add(1);
    }
}
