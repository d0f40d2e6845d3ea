package io.berth.sim.cluster;

import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;

/// A server that has too much to do for a while: it answers every write with 429 and says after how
/// many seconds to ask again.
public final class Throttle {
    private final VirtualTime time;
    private final Chance chance;
    private final double rate;
    private boolean isCalm;
    private long untilMillis;
    private long retryAfterMillis;

    /// @param rate how many of the writes are the one too many
    public Throttle(VirtualTime time, Chance chance, double rate) {
        this.time = time;
        this.chance = chance;
        this.rate = rate;
    }

    void calm(boolean calm) {
        isCalm = calm;
    }

    /// After how long to ask again; 0 where the server takes what it is asked for now.
    long retryAfterMillis() {
        if (isCalm) {
            return 0;
        }
        long now = time.nowMillis();
        if (now >= untilMillis && chance.happens(rate)) {
            untilMillis = now + (chance.happens(0.05) ? 70_000 : chance.between(200, 6000));
            retryAfterMillis = 1000L * chance.oneOf(1, 1, 2, 5);
        }
        return now < untilMillis ? retryAfterMillis : 0;
    }
}
