package io.berth.sim.cluster;

import io.berth.api.handle.ClusterException.Kind;
import io.berth.api.write.Write;
import io.berth.sim.time.Chance;

/// Decides the fate of writes by chance.
///
/// Failures of which the caller cannot know whether the write happened make the scheduler's books
/// wrong for a while, whatever it does; a run that must never overfill a node goes without them. A
/// lost answer about a status harms nobody's books, so that every run may have.
public final class WriteFaults {
    /// How long a client goes on asking where the server has too much to do.
    static final long PATIENCE_MILLIS = 60_000;

    private final Chance chance;
    private final double rate;
    private final boolean hasUncertain;
    private final StatusFaults statuses;
    private final Chance statusChance;
    private final Throttle throttle;
    private int neverLeft;
    private boolean isCalm;

    /// What happens to status writes besides.
    ///
    /// @param slowMillis how long one may be in line at most before it is sent, and be on its way
    ///   then, beyond the usual
    /// @param lostAnswers how many get no answer, whether they are carried out or not
    public record StatusFaults(int slowMillis, double lostAnswers) {
        public static final StatusFaults NONE = new StatusFaults(0, 0);
    }

    /// @param rate how many of the writes fail in some way
    /// @param hasUncertain whether a failed write may have happened
    /// @param never how many bindings get no answer at all
    public WriteFaults(
            Chance chance,
            double rate,
            boolean hasUncertain,
            int never,
            StatusFaults statuses,
            Chance statusChance,
            Throttle throttle) {
        this.chance = chance;
        this.rate = rate;
        this.hasUncertain = hasUncertain;
        this.neverLeft = never;
        this.statuses = statuses;
        this.statusChance = statusChance;
        this.throttle = throttle;
    }

    /// From now on every write is answered in good time, or not any more.
    public void calm(boolean calm) {
        isCalm = calm;
        throttle.calm(calm);
    }

    /// How long a write waits for its turn to be sent.
    long lineMillis(Write write) {
        boolean waits = !isCalm && write instanceof Write.PatchStatus patch && patch.isLate();
        return waits ? statusChance.between(0, statuses.slowMillis) : 0;
    }

    /// After how long the server wants to be asked again; 0 where it takes what it is asked for.
    long retryAfterMillis() {
        return throttle.retryAfterMillis();
    }

    /// How long it takes to read something.
    long readMillis() {
        return statusChance.between(1, 200);
    }

    boolean isReadLost() {
        return !isCalm && statusChance.happens(rate);
    }

    WriteFate next(Write write) {
        long there = chance.delay(10, 500);
        long back = there + chance.delay(10, 500);
        if (isCalm) {
            return WriteFate.answered(there, back);
        }
        long waits = 0;
        if (write instanceof Write.PatchStatus) {
            waits = statusChance.between(0, statuses.slowMillis);
            if (statusChance.happens(statuses.lostAnswers)) {
                return lostAnswer(there + waits);
            }
        }
        return fate(write, there + waits, back + waits);
    }

    private WriteFate fate(Write write, long there, long back) {
        if (write instanceof Write.Bind && hasUncertain && neverLeft > 0 && chance.happens(0.02)) {
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
        long timeout = there + chance.between(500, 3000);
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

    private WriteFate lostAnswer(long there) {
        long timeout = there + statusChance.between(500, 5000);
        return statusChance.happens(0.7)
                ? WriteFate.failedButDone(there, timeout, Kind.TIMEOUT)
                : WriteFate.failed(timeout, Kind.TIMEOUT);
    }
}
