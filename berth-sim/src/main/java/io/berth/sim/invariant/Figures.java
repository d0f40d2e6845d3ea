package io.berth.sim.invariant;

import io.berth.engine.Engine;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.QueueMetrics;
import io.berth.testkit.InMemoryMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Holds what the engine counts about itself against what is to be seen from outside: gauges that
/// are kept by adding and subtracting must equal a count of what there is.
public final class Figures {
    private final Engine engine;
    private final InMemoryMetrics metrics;

    public Figures(Engine engine, InMemoryMetrics metrics) {
        this.engine = engine;
        this.metrics = metrics;
    }

    /// To be called after a step that did something.
    public void check() {
        Broken.require(metrics.faults().isEmpty(), "impossible figures: %s", metrics.faults());
        var counts = engine.queue().counts();
        expect("pending_pods", counts.active(), "active");
        expect("pending_pods", counts.backoff(), "backoff");
        expect("pending_pods", counts.unschedulable(), "unschedulable");
        expect("pending_pods", counts.gated(), "gated");
        expect("cache_size", engine.state().podCount(), "pods");
        expect("cache_size", engine.state().assumedCount(), "assumed_pods");
        expect("inflight_events", counts.inFlight(), QueueMetrics.POD_POPPED);
        long events = metrics.total("inflight_events") - counts.inFlight();
        Broken.require(
                events == engine.queue().inFlightEventCount(),
                "%d events are counted as kept, but %d are",
                events,
                engine.queue().inFlightEventCount());
        var refused = refused();
        Broken.require(
                metrics.nonZero("unschedulable_pods").equals(refused),
                "unschedulable_pods are %s, but counted anew %s",
                metrics.nonZero("unschedulable_pods"),
                refused);
        Broken.require(
                metrics.value("scheduling_algorithm_duration_seconds")
                        <= engine.queue().schedulingCycle(),
                "more searches were timed than attempts made");
    }

    /// To be called when nothing is under way.
    ///
    /// @param unanswered how many bindings get no answer
    public void checkCalm(int unanswered) {
        expect("goroutines", unanswered, EngineMetrics.BINDING);
        Broken.require(
                metrics.total("inflight_events") == 0,
                "events are kept for nobody: %s",
                metrics.nonZero("inflight_events"));
    }

    private void expect(String name, long expected, String label) {
        Broken.require(
                metrics.value(name, label) == expected,
                "%s{%s} is %d, but there are %d",
                name,
                label,
                metrics.value(name, label),
                expected);
    }

    private Map<List<String>, Long> refused() {
        var counts = new HashMap<List<String>, Long>();
        engine.queue()
                .forEachPending(info -> {
                    for (var plugin : info.unschedulablePlugins()) {
                        counts.merge(List.of(plugin, info.profile()), 1L, Long::sum);
                    }
                });
        return counts;
    }
}
