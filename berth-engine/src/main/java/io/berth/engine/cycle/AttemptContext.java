package io.berth.engine.cycle;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Log;
import io.berth.api.handle.Recorder;
import io.berth.engine.journal.Journal;
import io.berth.engine.port.AttemptObserver;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.TimeSource;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;

/// What every step of an attempt works on and with.
public record AttemptContext(
        SchedulingQueue queue,
        ClusterState state,
        Errands errands,
        ClusterWrites writes,
        Recorder recorder,
        TimeSource time,
        Journal journal,
        EngineMetrics metrics,
        AttemptObserver observer,
        Log log) {}
