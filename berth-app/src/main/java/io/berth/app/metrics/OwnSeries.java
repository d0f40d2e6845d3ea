package io.berth.app.metrics;

import io.berth.api.handle.OwnMetrics;
import io.berth.serving.metrics.Buckets;
import io.berth.serving.metrics.Definition;
import io.berth.serving.metrics.Family;
import io.berth.serving.metrics.Registry;
import io.berth.serving.metrics.Series;
import io.berth.serving.metrics.Stability;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The metrics that plugins make themselves. From any thread.
final class OwnSeries implements OwnMetrics {
    static final String PREFIX = "berth_plugin_";

    /// A plugin that labels by something endless, such as a pod's name, must not fill the memory:
    /// from here on its numbers are added up under this word.
    static final int MOST_SERIES = 1_000;

    private static final String OTHER = "other";
    private static final Buckets BUCKETS = Buckets.exponential(0.00001, 2, 20);

    private final Registry registry;
    private final Map<String, Known<?>> known = new ConcurrentHashMap<>();

    OwnSeries(Registry registry) {
        this.registry = registry;
    }

    @Override
    public OwnMetrics.Counter counter(String name, String help, String... labels) {
        var metric = known(name, help, labels, Definition::counter, registry::counter);
        return (amount, values) -> metric.of(values).add(amount);
    }

    @Override
    public OwnMetrics.Gauge gauge(String name, String help, String... labels) {
        var metric = known(name, help, labels, Definition::gauge, registry::gauge);
        return (value, values) -> metric.of(values).set(value);
    }

    @Override
    public Durations durations(String name, String help, String... labels) {
        var metric =
                known(
                        name,
                        help,
                        labels,
                        (full, stability, text, sorted) ->
                                Definition.durations(full, stability, text, BUCKETS, sorted),
                        registry::histogram);
        return (nanos, values) -> metric.of(values).observe(nanos);
    }

    /// One of the ways to make a definition.
    private interface Maker {
        Definition make(String name, Stability stability, String help, String... labels);
    }

    @SuppressWarnings("unchecked") // what has an equal definition was made in the same way
    private <S extends Series> Known<S> known(
            String name,
            String help,
            String[] labels,
            Maker maker,
            Function<Definition, Family<S>> register) {
        requireName(name);
        for (var label : labels) {
            requireName(label);
        }
        var sorted = Arrays.stream(labels).sorted().toArray(String[]::new);
        var wanted = maker.make(PREFIX + name, Stability.ALPHA, help, sorted);
        var metric =
                known.computeIfAbsent(
                        name, _ -> new Known<>(register.apply(wanted), List.of(labels)));
        if (!metric.family.definition().equals(wanted) || !metric.labels.equals(List.of(labels))) {
            throw new IllegalArgumentException(
                    "the metric \"" + name + "\" exists already, and is not the same");
        }
        return (Known<S>) metric;
    }

    private static void requireName(String name) {
        if (!name.matches("[a-z][a-z0-9_]{0,99}")) {
            throw new IllegalArgumentException(
                    "a metric's name and labels have small letters, digits and underscores, got \""
                            + name
                            + "\"");
        }
    }

    /// A metric with the order in which the plugin gives its labels.
    private static final class Known<S extends Series> {
        private final Family<S> family;
        private final List<String> labels;
        private final int[] order;
        private final Map<List<String>, S> series = new ConcurrentHashMap<>();

        Known(Family<S> family, List<String> labels) {
            this.family = family;
            this.labels = labels;
            this.order = family.definition().labels().stream().mapToInt(labels::indexOf).toArray();
        }

        S of(String... values) {
            var key = List.of(values);
            var found = series.get(key);
            if (found == null) {
                found = make(values);
                if (series.size() < MOST_SERIES) {
                    series.put(key, found);
                }
            }
            return found;
        }

        private S make(String... values) {
            if (values.length != order.length) {
                throw new IllegalArgumentException(
                        "%s has the labels %s, but got the values %s"
                                .formatted(
                                        family.definition().name(),
                                        labels,
                                        Arrays.toString(values)));
            }
            boolean isFull = series.size() >= MOST_SERIES;
            return family.with(
                    IntStream.of(order)
                            .mapToObj(index -> isFull ? OTHER : values[index])
                            .toArray(String[]::new));
        }
    }
}
