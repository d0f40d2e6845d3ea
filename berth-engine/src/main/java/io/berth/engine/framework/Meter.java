package io.berth.engine.framework;

import io.berth.api.plugin.Plugin;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.ProfileMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.TimedPoint;
import java.util.List;

/// Times the steps of one profile (rule E-137).
///
/// Steps are timed in every attempt, single plugins only in those that were picked for it. Where
/// nobody looks no clock is read. From any thread.
public final class Meter {
    /// Stands for a begin that no clock was read for.
    public static final long UNTIMED = Long.MIN_VALUE;

    private final EngineMetrics engine;
    private final ProfileMetrics profile;
    private final TimeSource time;
    private final boolean isOn;

    public Meter(String profileName, EngineMetrics metrics, TimeSource time) {
        this.engine = metrics;
        this.profile = metrics.profile(profileName);
        this.time = time;
        this.isOn = metrics.isOn();
    }

    public ProfileMetrics profile() {
        return profile;
    }

    public boolean isOn() {
        return isOn;
    }

    /// The plugins of a step, in their order.
    public <P extends Plugin> List<Seat<P>> seats(
            List<P> plugins, TimedPoint point, Seat.Wording wording) {
        return plugins.stream()
                .map(plugin ->
                        new Seat<>(plugin, profile.plugin(plugin.name(), point), this, wording))
                .toList();
    }

    /// Likewise, where a failure is told as that of the point.
    public <P extends Plugin> List<Seat<P>> seats(List<P> plugins, TimedPoint timed, Point point) {
        return seats(
                plugins, timed, (plugin, cause) -> PluginFailure.running(point, plugin, cause));
    }

    /// Begins a step, or one part of it.
    public long begin() {
        return isOn ? time.nanos() : UNTIMED;
    }

    /// Ends a step.
    ///
    /// @return when that was: the begin of a step that follows at once, which spares it the clock
    public long end(TimedPoint point, StatusCode status, long begin) {
        if (begin == UNTIMED) {
            return UNTIMED;
        }
        long now = time.nanos();
        profile.point(point, status, now - begin);
        return now;
    }

    /// A step that no plugin of the profile takes part in: it takes no time, and no clock is read.
    public void nothingToDo(TimedPoint point) {
        if (isOn) {
            profile.point(point, StatusCode.SUCCESS, 0);
        }
    }

    /// Begins the work of one plugin.
    public long beginPlugin(CycleState cycle) {
        return cycle.isSampled() ? time.nanos() : UNTIMED;
    }

    public void endPlugin(PluginMetrics plugin, StatusCode status, long begin) {
        if (begin != UNTIMED) {
            plugin.ran(status, time.nanos() - begin);
        }
    }

    /// As above, where only a part of the work was timed.
    ///
    /// @param timed how many of the `count` pieces of work
    public void endPlugin(
            PluginMetrics plugin, StatusCode status, long begin, int timed, int count) {
        if (begin != UNTIMED) {
            plugin.ran(status, (time.nanos() - begin) * count / timed);
        }
    }

    /// Work on the workers, or outside, began or ended.
    public void running(String operation, int delta) {
        engine.running(operation, delta);
    }
}
