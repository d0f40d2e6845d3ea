package io.berth.sim.fault;

import io.berth.sim.time.Chance;

/// Exceptions by chance.
public final class Mishaps {
    private final Chance chance;
    private final double rate;
    private boolean isCalm;
    private int count;

    public Mishaps(Chance chance, double rate) {
        this.chance = chance;
        this.rate = rate;
    }

    public void calm(boolean calm) {
        isCalm = calm;
    }

    /// Does something without any.
    public void without(Runnable body) {
        boolean before = isCalm;
        isCalm = true;
        try {
            body.run();
        } finally {
            isCalm = before;
        }
    }

    /// How many there have been.
    public int count() {
        return count;
    }

    /// Throws, now and then.
    public void perhaps(String where) {
        if (!isCalm && chance.happens(rate)) {
            count++;
            throw new IllegalStateException("mishap in " + where);
        }
    }
}
