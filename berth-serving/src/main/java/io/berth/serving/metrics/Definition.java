package io.berth.serving.metrics;

import java.util.List;

/// What a metric is, apart from its values.
///
/// @param labels in alphabetical order, as they are written
/// @param bounds upper bounds of a histogram's buckets, without the last one, which has none
/// @param steps how many of the whole numbers that are observed make one of what is shown: a
///   billion nanoseconds a second, or 1
public record Definition(
        String name,
        Type type,
        Stability stability,
        String help,
        List<String> labels,
        Buckets bounds,
        double steps) {
    public enum Type {
        COUNTER("counter"),
        GAUGE("gauge"),
        HISTOGRAM("histogram"),
        SUMMARY("summary");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public static final double NANOSECONDS = 1e9;

    public Definition {
        labels = List.copyOf(labels);
        if (!labels.equals(labels.stream().sorted().toList())) {
            throw new IllegalArgumentException(name + ": labels out of order: " + labels);
        }
    }

    public static Definition counter(
            String name, Stability stability, String help, String... labels) {
        return new Definition(
                name, Type.COUNTER, stability, help, List.of(labels), Buckets.NONE, 1);
    }

    public static Definition gauge(
            String name, Stability stability, String help, String... labels) {
        return new Definition(name, Type.GAUGE, stability, help, List.of(labels), Buckets.NONE, 1);
    }

    /// A histogram of seconds that is fed with nanoseconds.
    public static Definition durations(
            String name, Stability stability, String help, Buckets bounds, String... labels) {
        return new Definition(
                name, Type.HISTOGRAM, stability, help, List.of(labels), bounds, NANOSECONDS);
    }

    /// A histogram of whole numbers.
    public static Definition amounts(
            String name, Stability stability, String help, Buckets bounds, String... labels) {
        return new Definition(name, Type.HISTOGRAM, stability, help, List.of(labels), bounds, 1);
    }

    String helpLine() {
        return stability.prefix() + help;
    }
}
