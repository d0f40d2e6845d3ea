package io.berth.sim.invariant;

import io.berth.engine.Inspection;
import io.berth.sim.plain.Broken;

/// A scheduler that is paused tries nothing.
public final class Pause implements Invariant {
    private static final long GOES_ON = -1;

    private final Watched watched;
    private long pausedAtCycle = GOES_ON;

    Pause(Watched watched) {
        this.watched = watched;
    }

    /// The engine has just been told.
    public void told(boolean isPaused) {
        pausedAtCycle =
                isPaused ? Inspection.of(watched.engine()).queue().schedulingCycle() : GOES_ON;
    }

    @Override
    public void afterStep() {
        long cycle = Inspection.of(watched.engine()).queue().schedulingCycle();
        Broken.require(
                pausedAtCycle == GOES_ON || pausedAtCycle == cycle,
                "a paused scheduler made %d attempts",
                cycle - pausedAtCycle);
    }
}
