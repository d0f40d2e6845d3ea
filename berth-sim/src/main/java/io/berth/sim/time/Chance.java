package io.berth.sim.time;

import java.util.List;
import java.util.SplittableRandom;

/// A source of chance with a seed. Sources split from one another do not influence each other, so a
/// change in one part of a run leaves the chance of the others alone.
public final class Chance {
    private final SplittableRandom random;

    public Chance(long seed) {
        this(new SplittableRandom(seed));
    }

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    public Chance split() {
        return new Chance(random.split());
    }

    public SplittableRandom generator() {
        return random;
    }

    /// Whether something of this probability happens now.
    public boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /// A number of the range, both ends included.
    public int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    @SafeVarargs
    public final <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /// A delay that is mostly short and now and then long.
    public int delay(int usualMillis, int rareMillis) {
        return happens(0.05)
                ? between(usualMillis, Math.max(usualMillis, rareMillis))
                : between(0, usualMillis);
    }
}
