package io.berth.serving.metrics;

import io.berth.serving.page.Scrape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/// The metrics of one page, by name. From any thread.
public final class Registry implements Scrape {
    private final Map<String, Metric> metrics = new ConcurrentSkipListMap<>();
    private final MetricsSettings settings;
    private final LabelLimits limits;
    private final Counts counts;

    /// What a registry tells about itself.
    private interface Counts {
        Counts NONE = new Counts() {};

        default void registered(Definition metric) {}

        default void disabled() {}

        default void unexpected() {}
    }

    private Registry(MetricsSettings settings, boolean countsItself) {
        this.settings = settings;
        if (!countsItself) {
            this.limits = new LabelLimits(settings.allowedLabels(), () -> {});
            this.counts = Counts.NONE;
            return;
        }
        var none = new LabelLimits(Map.of(), () -> {});
        var registered =
                new Family<>(
                        Definition.counter(
                                "registered_metrics_total",
                                Stability.BETA,
                                "Metrics that this process registered, by their stability.",
                                "deprecated_version",
                                "stability_level"),
                        none,
                        Counter::new);
        var disabled =
                new Family<>(
                        Definition.counter(
                                "disabled_metrics_total",
                                Stability.BETA,
                                "Metrics that were disabled by a flag."),
                        none,
                        Counter::new);
        var hidden =
                new Family<>(
                        Definition.counter(
                                "hidden_metrics_total",
                                Stability.BETA,
                                "Metrics that are hidden because they are deprecated."),
                        none,
                        Counter::new);
        var unexpected =
                new Family<>(
                        Definition.counter(
                                "cardinality_enforcement_unexpected_categorizations_total",
                                Stability.ALPHA,
                                "Label values that were not in the list of allowed ones."),
                        none,
                        Counter::new);
        hidden.with();
        this.counts = new Noted(registered, disabled.with(), unexpected.with());
        this.limits = new LabelLimits(settings.allowedLabels(), counts::unexpected);
        add(registered);
        add(disabled);
        add(hidden);
        add(unexpected);
    }

    private record Noted(Family<Counter> registered, Counter disabledCount, Counter unexpectedCount)
            implements Counts {
        @Override
        public void registered(Definition metric) {
            if (metric.stability() != Stability.UNSTATED) {
                registered.with("", metric.stability().name()).add(1);
            }
        }

        @Override
        public void disabled() {
            disabledCount.add(1);
        }

        @Override
        public void unexpected() {
            unexpectedCount.add(1);
        }
    }

    /// For the page of the process, which also counts the metrics themselves.
    public static Registry ofProcess(MetricsSettings settings) {
        return new Registry(settings, true);
    }

    public static Registry plain(MetricsSettings settings) {
        return new Registry(settings, false);
    }

    public Family<Counter> counter(Definition definition) {
        return add(new Family<>(definition, limits, Counter::new));
    }

    public Family<Gauge> gauge(Definition definition) {
        return add(new Family<>(definition, limits, Gauge::new));
    }

    public Family<Histogram> histogram(Definition definition) {
        long[] bounds = definition.bounds().inSteps(definition.steps());
        return add(
                new Family<>(
                        definition, limits, (values, text) -> new Histogram(values, text, bounds)));
    }

    public void computed(Definition definition, Consumer<Computed.Sink> source) {
        add(new Computed(definition, source));
    }

    /// A disabled metric can be fed like any other, but is not shown.
    private <M extends Metric> M add(M metric) {
        var definition = metric.definition();
        if (settings.disabled().contains(definition.name())) {
            counts.disabled();
            return metric;
        }
        if (metrics.putIfAbsent(definition.name(), metric) != null) {
            throw new IllegalStateException("metric " + definition.name() + " exists already");
        }
        counts.registered(definition);
        return metric;
    }

    @Override
    public byte[] text() {
        var bytes = new ByteArrayOutputStream(64 * 1024);
        try {
            writeTo(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    public void writeTo(OutputStream out) throws IOException {
        var text = new TextOutput(out);
        for (var metric : metrics.values()) {
            metric.write(text);
        }
        text.flush();
    }

    /// Lets what was counted begin anew. What says how things are stays.
    @Override
    public void reset() {
        metrics.values().forEach(Metric::reset);
    }

    public Iterable<Definition> definitions() {
        return metrics.values().stream().map(Metric::definition).toList();
    }
}
