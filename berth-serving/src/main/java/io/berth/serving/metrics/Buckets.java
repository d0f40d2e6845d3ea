package io.berth.serving.metrics;

import java.util.Arrays;
import java.util.List;

/// The upper bounds of a histogram's buckets.
public record Buckets(List<Double> bounds) {
    public static final Buckets NONE = new Buckets(List.of());

    public Buckets {
        bounds = List.copyOf(bounds);
    }

    public static Buckets of(double... bounds) {
        return new Buckets(Arrays.stream(bounds).boxed().toList());
    }

    /// `count` bounds from `start` on, each `factor` times the one before. Multiplied one after the
    /// other, as upstream does, so that the last digits of the bounds are the same.
    public static Buckets exponential(double start, double factor, int count) {
        var bounds = new double[count];
        double bound = start;
        for (int i = 0; i < count; i++) {
            bounds[i] = bound;
            bound *= factor;
        }
        return of(bounds);
    }

    /// The bounds in steps: a whole number is within a bound exactly if it is within that bound's
    /// whole part.
    long[] inSteps(double steps) {
        return bounds.stream()
                .mapToLong(bound -> (long) Math.floor(bound * steps + 1e-6))
                .toArray();
    }
}
