package io.berth.lab;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Log;
import io.berth.api.handle.Recorder;
import io.berth.api.write.Receipt;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.Workers;

/// Ports through which nothing gets out: every write succeeds and is forgotten, no event, figure or
/// line is kept, and no extender is asked.
final class HarmlessPorts {
    private static final ClusterWrites NO_WRITES = (write, departure) -> Receipt.SENT;

    private static final Recorder NO_EVENTS = (event, related) -> {};

    private static final Tasks AT_ONCE = (name, task) -> task.run();

    private HarmlessPorts() {}

    static Ports with(TimeSource time, long seed) {
        return new Ports(
                time,
                seed,
                AT_ONCE,
                Workers.NONE,
                NO_WRITES,
                NO_EVENTS,
                EngineMetrics.NONE,
                QueueMetrics.NONE,
                Log.NONE);
    }
}
