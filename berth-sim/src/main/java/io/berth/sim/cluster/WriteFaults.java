package io.berth.sim.cluster;

import io.berth.api.plugin.ClusterException.Kind;
import io.berth.sim.time.Chance;

/// Decides the fate of writes by chance.
///
/// Failures of which the caller cannot know whether the write happened make the scheduler's books
/// wrong for a while, whatever it does; a run that must never overfill a node goes without them.
public final class WriteFaults {
    private final Chance chance;
    private final double rate;
    private final boolean hasUncertain;
    private int neverLeft;
    private boolean isCalm;

    /// @param rate how many of the writes fail in some way
    /// @param hasUncertain whether a failed write may have happened
    /// @param never how many bindings get no answer at all
    public WriteFaults(Chance chance, double rate, boolean hasUncertain, int never) {
        this.chance = chance;
        this.rate = rate;
        this.hasUncertain = hasUncertain;
        this.neverLeft = never;
    }

    /// From now on every write is answered in good time, or not any more.
    public void calm(boolean calm) {
        isCalm = calm;
    }

    WriteFate next(boolean isBinding) {
        long there = chance.delay(10, 500);
        long back = there + chance.delay(10, 500);
        if (isCalm) {
            return WriteFate.answered(there, back);
        }
        if (isBinding && hasUncertain && neverLeft > 0 && chance.happens(0.02)) {
            neverLeft--;
            return chance.happens(0.5)
                    ? WriteFate.answered(there, WriteFate.NEVER)
                    : WriteFate.failed(WriteFate.NEVER, Kind.TIMEOUT);
        }
        if (!chance.happens(rate)) {
            return WriteFate.answered(there, back);
        }
        return hasUncertain && chance.happens(0.5) ? uncertain(there, back) : certain(back);
    }

    private WriteFate certain(long back) {
        return WriteFate.failed(
                back,
                chance.oneOf(
                        Kind.CONFLICT,
                        Kind.NOT_FOUND,
                        Kind.REFUSED,
                        Kind.UNAVAILABLE,
                        Kind.UNAVAILABLE));
    }

    private WriteFate uncertain(long there, long back) {
        long timeout = chance.between(500, 3000);
        return switch (chance.between(0, 3)) {
            case 0 -> WriteFate.failed(timeout, Kind.TIMEOUT);
            case 1 -> WriteFate.failedButDone(there, timeout, Kind.TIMEOUT);
            case 2 -> WriteFate.failedButDone(there, back, Kind.UNAVAILABLE);
            // It arrives long after the caller has given up.
            default ->
                    WriteFate.failedButDone(
                            timeout + chance.between(100, 4000), timeout, Kind.TIMEOUT);
        };
    }
}
