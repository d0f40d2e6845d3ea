package io.berth.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.Registry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class OwnSeriesTest {
    private final Registry registry = Registry.plain(MetricsSettings.DEFAULT);
    private final OwnSeries own = new OwnSeries(registry);

    private String page() {
        return new String(registry.text(), StandardCharsets.UTF_8);
    }

    @Test
    void pluginsCountUnderTheirOwnNames() {
        own.counter("racks_refused_total", "Racks.", "zone", "cause").add(3, "east", "full");
        own.gauge("racks", "Racks.").set(7);
        own.durations("look_seconds", "Looks.").observe(Duration.ofMillis(5).toNanos());

        assertThat(page().lines())
                .contains(
                        "berth_plugin_racks_refused_total{cause=\"full\",zone=\"east\"} 3",
                        "berth_plugin_racks 7",
                        "berth_plugin_look_seconds_count 1");
    }

    /// The plugins of two profiles, and those of a second life of the process.
    @Test
    void sameMetricAskedForAgainIsTheSame() {
        own.counter("tries_total", "Tries.").add(1);
        own.counter("tries_total", "Tries.").add(1);
        assertThat(page().lines()).contains("berth_plugin_tries_total 2");
        assertThatThrownBy(() -> own.gauge("tries_total", "Tries."))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the metric \"tries_total\" exists already, and is not the same");
    }

    @Test
    void nameThatCannotBeOneIsRefused() {
        assertThatThrownBy(() -> own.counter("Tries total", "Tries."))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"Tries total\"");
    }

    @Test
    void endlessLabelsAreAddedUpFromAThousandOn() {
        var perPod = own.counter("tries_total", "Tries.", "pod");
        for (int i = 0; i < OwnSeries.MOST_SERIES + 50; i++) {
            perPod.add(1, "pod-" + i);
        }
        assertThat(page().lines()).contains("berth_plugin_tries_total{pod=\"other\"} 50");
    }
}
