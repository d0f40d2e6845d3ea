package io.berth.sim.time;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/// A source of chance with a seed. Sources split from one another do not influence each other, so a
/// change in one part of a run leaves the chance of the others alone.
public final class Chance {
    private final SplittableRandom random;
    private final Outside outside;

    /// Draws what chance gives, or what it gave when a run is replayed.
    @FunctionalInterface
    public interface Outside {
        long look(LongSupplier draw);
    }

    public Chance(long seed) {
        this(new SplittableRandom(seed), LongSupplier::getAsLong);
    }

    private Chance(SplittableRandom random, Outside outside) {
        this.random = random;
        this.outside = outside;
    }

    public Chance split() {
        return new Chance(random.split(), outside);
    }

    /// The same source for a plugin of the scheduler, which may be replayed.
    public Chance through(Outside other) {
        return new Chance(random, other);
    }

    public SplittableRandom generator() {
        return random;
    }

    /// Whether something of this probability happens now.
    public boolean happens(double probability) {
        return probability > 0
                && outside.look(() -> random.nextDouble() < probability ? 1 : 0) != 0;
    }

    /// A number of the range, both ends included.
    public int between(int least, int most) {
        return (int) outside.look(() -> random.nextInt(least, most + 1));
    }

    @SafeVarargs
    public final <T> T oneOf(T... choices) {
        return choices[index(choices.length)];
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(index(choices.size()));
    }

    private int index(int count) {
        return (int) outside.look(() -> random.nextInt(count));
    }

    /// A delay that is mostly short and now and then long.
    public int delay(int usualMillis, int rareMillis) {
        return happens(0.05)
                ? between(usualMillis, Math.max(usualMillis, rareMillis))
                : between(0, usualMillis);
    }
}
