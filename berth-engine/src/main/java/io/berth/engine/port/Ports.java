package io.berth.engine.port;

import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Extender;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.Recorder;
import java.util.List;
import java.util.random.RandomGenerator;

/// Everything the engine needs from outside.
///
/// @param extenders services that take part in decisions, as configured
public record Ports(
        TimeSource time,
        RandomGenerator random,
        Tasks tasks,
        Workers workers,
        ClusterWrites writes,
        Recorder recorder,
        EngineMetrics metrics,
        QueueMetrics queueMetrics,
        Log log,
        List<Extender> extenders) {
    public Ports {
        extenders = List.copyOf(extenders);
    }

    public Ports(
            TimeSource time,
            RandomGenerator random,
            Tasks tasks,
            Workers workers,
            ClusterWrites writes,
            Recorder recorder,
            EngineMetrics metrics,
            QueueMetrics queueMetrics,
            Log log) {
        this(time, random, tasks, workers, writes, recorder, metrics, queueMetrics, log, List.of());
    }

    public Ports withExtenders(List<Extender> others) {
        return new Ports(
                time, random, tasks, workers, writes, recorder, metrics, queueMetrics, log, others);
    }
}
