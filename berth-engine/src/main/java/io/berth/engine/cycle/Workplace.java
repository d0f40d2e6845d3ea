package io.berth.engine.cycle;

import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.Recorder;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import java.util.concurrent.Executor;

/// What every step of an attempt works on and with.
///
/// @param onEngine runs something on the engine thread, soon; how results of tasks come back
public record Workplace(
        SchedulingQueue queue,
        ClusterState state,
        Executor onEngine,
        ClusterWrites writes,
        Recorder recorder,
        Tasks tasks,
        TimeSource time,
        EngineMetrics metrics,
        Log log) {}
