package io.berth.plugins.noderesources;

import java.util.List;

/// A function made of straight pieces between points, in whole numbers (H-13).
public final class BrokenLinear {
    /// A bend of the function.
    ///
    /// @param score from 0 to 10
    public record Point(int utilization, int score) {}

    private static final long SCALE = 10;

    private final long[] x;
    private final long[] y;

    public BrokenLinear(List<Point> points) {
        x = points.stream().mapToLong(Point::utilization).toArray();
        y = points.stream().mapToLong(point -> point.score() * SCALE).toArray();
    }

    /// The score from 0 to 100 at a utilization in percent.
    public long at(long utilization) {
        for (int i = 0; i < x.length; i++) {
            if (utilization <= x[i]) {
                return i == 0
                        ? y[0]
                        : y[i - 1]
                                + (y[i] - y[i - 1]) * (utilization - x[i - 1]) / (x[i] - x[i - 1]);
            }
        }
        return y[y.length - 1];
    }
}
