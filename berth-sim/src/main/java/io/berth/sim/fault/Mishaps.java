package io.berth.sim.fault;

import io.berth.sim.time.Chance;

/// Exceptions by chance; errors too, where the run has them: a plugin may be broken in any way.
public final class Mishaps {
    private static final long NONE = -1;

    private final Chance chance;
    private final double rate;
    private final boolean hasErrors;
    private boolean isCalm;
    private int count;

    public Mishaps(Chance chance, double rate, boolean hasErrors) {
        this.chance = chance;
        this.rate = rate;
        this.hasErrors = hasErrors;
    }

    public void calm(boolean calm) {
        isCalm = calm;
    }

    public boolean isCalm() {
        return isCalm;
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
        if (happens()) {
            throwAny(kind(), "mishap in " + where);
        }
    }

    private int kind() {
        return hasErrors ? chance.between(0, 5) : 0;
    }

    private static void throwAny(long kind, String what) {
        switch ((int) kind) {
            case 1 -> throw new StackOverflowError(what);
            case 2 -> throw new NoClassDefFoundError(what);
            case 3 -> throw new AssertionError(what);
            default -> throw new IllegalStateException(what);
        }
    }

    private boolean happens() {
        boolean happens = !isCalm && chance.happens(rate);
        count += happens ? 1 : 0;
        return happens;
    }

    /// The same for a plugin of the scheduler, which may be replayed.
    public Prone through(Chance.Outside outside) {
        return new Prone(outside);
    }

    /// Somebody whom mishaps befall.
    public final class Prone {
        private final Chance.Outside outside;

        private Prone(Chance.Outside outside) {
            this.outside = outside;
        }

        /// Throws, now and then.
        public void perhaps(String where) {
            long kind = outside.look(() -> happens() ? kind() : NONE);
            if (kind != NONE) {
                throwAny(kind, "mishap in " + where);
            }
        }
    }
}
