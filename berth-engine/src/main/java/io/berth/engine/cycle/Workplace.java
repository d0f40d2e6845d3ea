package io.berth.engine.cycle;

import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Recorder;
import io.berth.engine.intake.Mailbox;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Log;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;

/// What every step of an attempt works on and with.
public record Workplace(
        SchedulingQueue queue,
        ClusterState state,
        Mailbox mailbox,
        ClusterWrites writes,
        Recorder recorder,
        Tasks tasks,
        TimeSource time,
        EngineMetrics metrics,
        Log log) {}
