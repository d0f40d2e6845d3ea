package io.berth.sim.invariant;

import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.QueueMetrics;
import io.berth.sim.plain.Broken;
import io.berth.testkit.InMemoryMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Holds what the engine counts about itself against what is to be seen from outside: gauges that
/// are kept by adding and subtracting must equal a count of what there is.
final class Figures implements Invariant {
    private final Watched watched;
    private final Bindings bindings;

    Figures(Watched watched, Bindings bindings) {
        this.watched = watched;
        this.bindings = bindings;
    }

    @Override
    public void afterStep() {
        var metrics = watched.metrics();
        if (metrics != null) {
            check(metrics, watched.engine());
        }
    }

    private static void check(InMemoryMetrics metrics, Engine engine) {
        Broken.require(metrics.faults().isEmpty(), "impossible figures: %s", metrics.faults());
        var counts = Inspection.of(engine).queue().counts();
        expect(metrics, "pending_pods", counts.active(), "active");
        expect(metrics, "pending_pods", counts.backoff(), "backoff");
        expect(metrics, "pending_pods", counts.unschedulable(), "unschedulable");
        expect(metrics, "pending_pods", counts.gated(), "gated");
        expect(metrics, "cache_size", Inspection.of(engine).state().podCount(), "pods");
        expect(metrics, "cache_size", Inspection.of(engine).state().assumedCount(), "assumed_pods");
        expect(metrics, "inflight_events", counts.inFlight(), QueueMetrics.POD_POPPED);
        long events = metrics.total("inflight_events") - counts.inFlight();
        Broken.require(
                events == Inspection.of(engine).queue().inFlightEventCount(),
                "%d events are counted as kept, but %d are",
                events,
                Inspection.of(engine).queue().inFlightEventCount());
        var refused = refused(engine);
        Broken.require(
                metrics.nonZero("unschedulable_pods").equals(refused),
                "unschedulable_pods are %s, but counted anew %s",
                metrics.nonZero("unschedulable_pods"),
                refused);
        Broken.require(
                metrics.value("scheduling_algorithm_duration_seconds")
                        <= Inspection.of(engine).queue().schedulingCycle(),
                "more searches were timed than attempts made");
    }

    @Override
    public void atRest() {
        var metrics = watched.metrics();
        if (metrics == null) {
            return;
        }
        expect(metrics, "goroutines", bindings.unanswered().size(), EngineMetrics.BINDING);
        Broken.require(
                metrics.total("inflight_events") == 0,
                "events are kept for nobody: %s",
                metrics.nonZero("inflight_events"));
    }

    private static void expect(InMemoryMetrics metrics, String name, long expected, String label) {
        Broken.require(
                metrics.value(name, label) == expected,
                "%s{%s} is %d, but there are %d",
                name,
                label,
                metrics.value(name, label),
                expected);
    }

    private static Map<List<String>, Long> refused(Engine engine) {
        var counts = new HashMap<List<String>, Long>();
        Inspection.of(engine)
                .queue()
                .forEachPending(info -> {
                    for (var plugin : info.unschedulablePlugins()) {
                        counts.merge(List.of(plugin, info.profile()), 1L, Long::sum);
                    }
                });
        return counts;
    }
}
