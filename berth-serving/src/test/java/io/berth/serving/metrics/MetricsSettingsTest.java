package io.berth.serving.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-295")
class MetricsSettingsTest {
    @Test
    void valuesAreSplitAtCommas() {
        var settings = MetricsSettings.of(List.of("x"), Map.of("m,l", "a,b"));
        assertThat(settings.disabled()).containsExactly("x");
        assertThat(settings.allowedLabels()).containsEntry("m,l", Set.of("a", "b"));
    }

    @Test
    void nothingIsDisabledOrLimitedByDefault() {
        assertThat(MetricsSettings.DEFAULT).isEqualTo(new MetricsSettings(Set.of(), Map.of()));
    }
}
