package io.berth.engine.port;

import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.Recorder;
import java.util.random.RandomGenerator;

/// Everything the engine needs from outside.
public record Ports(
        TimeSource time,
        RandomGenerator random,
        Tasks tasks,
        Workers workers,
        ClusterWrites writes,
        Recorder recorder,
        EngineMetrics metrics,
        QueueMetrics queueMetrics,
        Log log) {}
