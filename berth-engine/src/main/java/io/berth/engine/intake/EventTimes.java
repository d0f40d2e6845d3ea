package io.berth.engine.intake;

import io.berth.api.event.ClusterEvent;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.TimeSource;
import java.util.List;

/// Times how long the handling of an event takes (rule E-75). Where nobody looks no clock is read.
public final class EventTimes {
    private final TimeSource time;
    private final EngineMetrics metrics;

    public EventTimes(TimeSource time, EngineMetrics metrics) {
        this.time = time;
        this.metrics = metrics;
    }

    boolean areWanted() {
        return metrics.isOn();
    }

    long begin() {
        return metrics.isOn() ? time.nanos() : 0;
    }

    /// @return when that was: the begin of what follows at once
    long end(ClusterEvent event, long begin) {
        if (!metrics.isOn()) {
            return 0;
        }
        long now = time.nanos();
        metrics.eventHandled(event.label(), now - begin);
        return now;
    }

    /// One handling that counts under several names.
    void end(ClusterEvent event, List<ClusterEvent> more, long begin) {
        if (metrics.isOn()) {
            long nanos = time.nanos() - begin;
            metrics.eventHandled(event.label(), nanos);
            for (var other : more) {
                if (!other.label().equals(event.label())) {
                    metrics.eventHandled(other.label(), nanos);
                }
            }
        }
    }
}
