package io.berth.e2e.differential.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/// Seeded chance.
final class Draw {
    private final SplittableRandom random;

    Draw(long seed) {
        this.random = new SplittableRandom(seed);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    /// Both bounds included.
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    @SafeVarargs
    final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /// So many different ones, in any order.
    <T> List<T> some(List<T> values, int low, int high) {
        var shuffled = new ArrayList<>(values);
        Collections.shuffle(shuffled, new java.util.Random(random.nextLong()));
        return shuffled.subList(0, Math.min(between(low, high), shuffled.size()));
    }
}
