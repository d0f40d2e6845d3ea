package io.berth.testkit;

import io.berth.api.handle.OwnMetrics;
import io.berth.api.handle.SchedulerMetrics;
import io.berth.engine.port.AttemptResult;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.ProfileMetrics;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimedPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Metrics as plain numbers, to be asked for in tests: gauges and counters by their value,
/// histograms by how often something was observed.
///
/// What cannot be, such as a gauge below zero or time that ran backwards, is noted as a fault
/// rather than thrown: the engine must not depend on whoever looks at it. From any thread.
public final class InMemoryMetrics implements EngineMetrics, QueueMetrics {
    /// By the name as operators know it, without the prefix, then by the values of its labels.
    private final Map<String, Map<List<String>, Long>> values = new ConcurrentHashMap<>();

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    /// The value of one series; 0 where it was never told of.
    public long value(String name, String... labels) {
        return ofName(name).getOrDefault(List.of(labels), 0L);
    }

    /// All series of a name that are not 0, by their labels.
    public Map<List<String>, Long> nonZero(String name) {
        var found = new HashMap<List<String>, Long>();
        ofName(name)
                .forEach((labels, value) -> {
                    if (value != 0) {
                        found.put(labels, value);
                    }
                });
        return Map.copyOf(found);
    }

    private Map<List<String>, Long> ofName(String name) {
        return values.getOrDefault(name, Map.of());
    }

    /// The sum over all series of a name.
    public long total(String name) {
        return nonZero(name).values().stream().mapToLong(value -> value).sum();
    }

    /// What was told and cannot be.
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /// Everything, in the order of names: equal for equal runs.
    @Override
    public String toString() {
        var sorted = new TreeMap<String, Long>();
        values.forEach((name, series) ->
                series.forEach((labels, value) -> sorted.put(name + labels, value)));
        return sorted.toString();
    }

    private void add(long delta, String name, String... labels) {
        long now = toChange(name).merge(List.of(labels), delta, Long::sum);
        if (now < 0) {
            faults.add(name + List.of(labels) + " fell to " + now);
        }
    }

    private void set(long value, String name, String... labels) {
        toChange(name).put(List.of(labels), value);
    }

    private Map<List<String>, Long> toChange(String name) {
        return values.computeIfAbsent(name, _ -> new ConcurrentHashMap<>());
    }

    private void observe(long nanos, String name, String... labels) {
        if (nanos < 0) {
            faults.add(name + List.of(labels) + " took " + nanos + " ns");
        }
        add(1, name, labels);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public boolean wantsDurations() {
        return true;
    }

    /// Those of plugins have the names that the plugins gave them.
    @Override
    public OwnMetrics ownMetrics() {
        return new OwnMetrics() {
            @Override
            public Counter counter(String name, String help, String... labels) {
                return (amount, values) -> add(amount, name, values);
            }

            @Override
            public Gauge gauge(String name, String help, String... labels) {
                return (value, values) -> set(value, name, values);
            }

            @Override
            public Durations durations(String name, String help, String... labels) {
                return (nanos, values) -> observe(nanos, name, values);
            }
        };
    }

    @Override
    public ProfileMetrics profile(String profile) {
        return new ProfileMetrics() {
            @Override
            public void attempt(AttemptResult result, long nanos) {
                observe(nanos, "schedule_attempts_total", result.text(), profile);
            }

            @Override
            public void point(TimedPoint point, StatusCode status, long nanos) {
                observe(
                        nanos,
                        "framework_extension_point_duration_seconds",
                        point.text(),
                        status.text(),
                        profile);
            }

            @Override
            public PluginMetrics plugin(String name, TimedPoint point) {
                return ofPlugin(name, point, profile);
            }
        };
    }

    private PluginMetrics ofPlugin(String name, TimedPoint point, String profile) {
        return new PluginMetrics() {
            @Override
            public void evaluated(int times) {
                if (times < 0) {
                    faults.add(name + " was asked " + times + " times");
                }
                add(times, "plugin_evaluation_total", name, point.text(), profile);
            }

            @Override
            public void ran(StatusCode status, long nanos) {
                observe(
                        nanos,
                        "plugin_execution_duration_seconds",
                        name,
                        point.text(),
                        status.text());
            }
        };
    }

    @Override
    public SchedulerMetrics ofPlugins() {
        return new SchedulerMetrics() {
            @Override
            public void preemptionTried() {
                add(1, "preemption_attempts_total");
            }

            @Override
            public void victimsChosen(int count) {
                observe(count, "preemption_victims");
            }

            @Override
            public void evictionEnded(boolean succeeded, long nanos) {
                observe(
                        nanos,
                        "preemption_goroutines_execution_total",
                        succeeded ? "success" : "error");
            }
        };
    }

    @Override
    public void algorithm(long nanos) {
        observe(nanos, "scheduling_algorithm_duration_seconds");
    }

    @Override
    public void podScheduled(int attempts, long sliNanos, boolean wasFlushed) {
        if (attempts < 1) {
            faults.add("a pod was scheduled in " + attempts + " attempts");
        }
        observe(sliNanos, "pod_scheduling_sli_duration_seconds");
        if (wasFlushed) {
            add(1, "pod_scheduled_after_flush_total");
        }
    }

    @Override
    public void messageTaken(String message, long nanos) {
        observe(nanos, "berth_engine_message_duration_seconds", message);
    }

    @Override
    public void eventHandled(String event, long nanos) {
        observe(nanos, "event_handling_duration_seconds", event);
    }

    @Override
    public void permitWaited(StatusCode result, long nanos) {
        observe(nanos, "permit_wait_duration_seconds", result.text());
    }

    @Override
    public void running(String operation, int delta) {
        add(delta, "goroutines", operation);
    }

    @Override
    public void pending(int active, int backoff, int unschedulable, int gated) {
        set(active, "pending_pods", "active");
        set(backoff, "pending_pods", "backoff");
        set(unschedulable, "pending_pods", "unschedulable");
        set(gated, "pending_pods", "gated");
    }

    @Override
    public void cached(int nodes, int pods, int assumedPods) {
        set(nodes, "cache_size", "nodes");
        set(pods, "cache_size", "pods");
        set(assumedPods, "cache_size", "assumed_pods");
    }

    @Override
    public void incoming(String queue, String event) {
        add(1, "queue_incoming_pods_total", queue, event);
    }

    @Override
    public void refused(String plugin, String profile, int delta) {
        add(delta, "unschedulable_pods", plugin, profile);
    }

    @Override
    public void inFlightEvents(String event, int delta) {
        add(delta, "inflight_events", event);
    }

    @Override
    public void hint(String plugin, String event, String result, long nanos) {
        observe(nanos, "queueing_hint_execution_duration_seconds", plugin, event, result);
    }

    @Override
    public void preEnqueuePlugin(String plugin, StatusCode status, long nanos) {
        observe(
                nanos,
                "plugin_execution_duration_seconds",
                plugin,
                TimedPoint.PRE_ENQUEUE.text(),
                status.text());
    }

    @Override
    public void preEnqueue(String profile, StatusCode status, long nanos) {
        profile(profile).point(TimedPoint.PRE_ENQUEUE, status, nanos);
    }
}
