package io.berth.serving.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryTest {
    private static final Definition JOBS =
            Definition.counter("jobs_total", Stability.BETA, "Jobs \\ done.", "kind");
    private static final Definition TIMES =
            Definition.durations(
                    "times_seconds", Stability.ALPHA, "Times.", Buckets.of(0.001, 0.5), "kind");

    private static String textOf(Registry registry) {
        return new String(registry.text(), StandardCharsets.UTF_8);
    }

    @Test
    @Tag("P-270")
    void counterIsWrittenWithHeadAndEscapes() {
        var registry = Registry.plain(MetricsSettings.DEFAULT);
        registry.counter(JOBS).with("a \"b\" \\ \n c").add(3);
        assertThat(textOf(registry))
                .isEqualTo(
                        """
                        # HELP jobs_total [BETA] Jobs \\\\ done.
                        # TYPE jobs_total counter
                        jobs_total{kind="a \\"b\\" \\\\ \\n c"} 3
                        """);
    }

    @Test
    void histogramCountsUpToAndWithItsBounds() {
        var registry = Registry.plain(MetricsSettings.DEFAULT);
        var series = registry.histogram(TIMES).with("x");
        series.observe(1_000_000);
        series.observe(1_000_001);
        series.observe(600_000_000);
        assertThat(textOf(registry))
                .isEqualTo(
                        """
                        # HELP times_seconds [ALPHA] Times.
                        # TYPE times_seconds histogram
                        times_seconds_bucket{kind="x",le="0.001"} 1
                        times_seconds_bucket{kind="x",le="0.5"} 2
                        times_seconds_bucket{kind="x",le="+Inf"} 3
                        times_seconds_sum{kind="x"} 0.602000001
                        times_seconds_count{kind="x"} 3
                        """);
    }

    @Test
    @Tag("P-271")
    void metricWithoutSeriesIsNotWritten() {
        var registry = Registry.plain(MetricsSettings.DEFAULT);
        registry.counter(JOBS);
        assertThat(textOf(registry)).isEmpty();
    }

    @Test
    void seriesAreFoundAgainAndWrittenInOrder() {
        var registry = Registry.plain(MetricsSettings.DEFAULT);
        var jobs = registry.counter(JOBS);
        jobs.with("z").add(1);
        jobs.with("a").add(1);
        jobs.with("m").add(1);
        assertThat(jobs.with("z")).isSameAs(jobs.with("z"));
        assertThat(textOf(registry).lines().filter(line -> !line.startsWith("#")))
                .containsExactly(
                        "jobs_total{kind=\"a\"} 1",
                        "jobs_total{kind=\"m\"} 1",
                        "jobs_total{kind=\"z\"} 1");
    }

    @Test
    void wrongNumberOfLabelsIsRefused() {
        var jobs = Registry.plain(MetricsSettings.DEFAULT).counter(JOBS);
        assertThatThrownBy(() -> jobs.with("a", "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("jobs_total has the labels [kind], but got the values [a, b]");
    }

    @Test
    @Tag("P-191")
    void resetLetsCountsBeginAnewAndKeepsHowThingsAre() {
        var registry = Registry.plain(MetricsSettings.DEFAULT);
        var jobs = registry.counter(JOBS).with("a");
        var times = registry.histogram(TIMES).with("a");
        var size = registry.gauge(Definition.gauge("size", Stability.ALPHA, "Size.")).with();
        jobs.add(5);
        times.observe(7);
        size.set(9);

        registry.reset();
        jobs.add(1);

        assertThat(jobs.value()).isEqualTo(1);
        assertThat(times.count()).isZero();
        assertThat(times.sum()).isZero();
        assertThat(size.value()).isEqualTo(9);
    }

    @Test
    @Tag("P-295")
    void disabledMetricIsLeftOutAndCounted() {
        var settings = MetricsSettings.of(List.of("jobs_total"), Map.of());
        var registry = Registry.ofProcess(settings);
        registry.counter(JOBS).with("a").add(1);
        var read = PrometheusText.read(registry.text());
        assertThat(read.families()).doesNotContainKey("jobs_total");
        assertThat(read.family("disabled_metrics_total").samples).containsEntry("{}", 1.0);
    }

    @Test
    @Tag("P-295")
    void labelValueThatIsNotAllowedBecomesUnexpected() {
        var settings = MetricsSettings.of(List.of(), Map.of("jobs_total,kind", "a,b"));
        var registry = Registry.ofProcess(settings);
        var jobs = registry.counter(JOBS);
        jobs.with("a").add(1);
        jobs.with("c").add(2);
        jobs.with("d").add(3);
        var read = PrometheusText.read(registry.text());
        assertThat(read.family("jobs_total").samples)
                .containsOnly(Map.entry("{kind=a}", 1.0), Map.entry("{kind=unexpected}", 5.0));
        assertThat(read.family("cardinality_enforcement_unexpected_categorizations_total").samples)
                .containsEntry("{}", 2.0);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "0.001, 0.001",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "16.384, 16.384",
        "100000, 100000",
        "1000000, 1e+06",
        "1048576, 1.048576e+06",
        "1.5000000000000002e-05," + " 1.5000000000000002e-05",
        "-2.5, -2.5",
        "1e21, 1e+21",
        "123456.5, 123456.5"
    })
    @Tag("P-271")
    void numbersAreWrittenAsGoDoes(double number, String text) {
        assertThat(GoNumber.format(number)).isEqualTo(text);
    }

    @Test
    @Tag("P-271")
    void exponentialBoundsKeepUpstreamsLastDigits() {
        assertThat(Buckets.exponential(0.00001, 1.5, 5).bounds().stream().map(GoNumber::format))
                .containsExactly(
                        "1e-05",
                        "1.5000000000000002e-05",
                        "2.2500000000000005e-05",
                        "3.375000000000001e-05",
                        "5.062500000000001e-05");
    }
}
