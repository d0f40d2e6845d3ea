package io.berth.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-51")
@Tag("P-295")
class MetricsSettingsTest {
    @Test
    void onlyThePreviousMinorVersionCanBeShown() {
        assertThat(MetricsSettings.checkShownVersion("", "1.35")).isEmpty();
        assertThat(MetricsSettings.checkShownVersion("1.35", "1.35")).isEmpty();
        assertThat(MetricsSettings.checkShownVersion("1.2", "1.35"))
                .hasValue(
                        "metrics.showHiddenMetricsForVersion: Invalid value: \"1.2\": must be"
                                + " omitted or have the value '1.35'; only the previous minor"
                                + " version is allowed");
    }

    @Test
    void disabledMetricsMustBeNames() {
        assertThat(MetricsSettings.checkDisabled(List.of("a_total", "b:c"))).isEmpty();
        assertThat(MetricsSettings.checkDisabled(List.of("a b", "ok")))
                .hasValue(
                        "metrics.disabledMetrics: Invalid value: [\"a b\",\"ok\"]: must be fully"
                                + " qualified metric names matching"
                                + " \"^[a-zA-Z_:][a-zA-Z0-9_:]*$\", got \"a b\"");
    }

    @Test
    void keysOfAllowedLabelsNameMetricAndLabel() {
        assertThat(MetricsSettings.checkAllowed(Map.of("m_total,label", "a,b"))).isEmpty();
        String ending =
                ": must have keys with format `metricName,labelName` where metricName matches"
                        + " \"[a-zA-Z_:][a-zA-Z0-9_:]*\" and labelName matches"
                        + " \"[a-zA-Z_][a-zA-Z0-9_]*\"";
        assertThat(MetricsSettings.checkAllowed(Map.of("a b,c", "x")))
                .hasValue("metrics.allowListMapping: Invalid value: {\"a b,c\":\"x\"}" + ending);
        assertThat(MetricsSettings.checkAllowed(Map.of("foo", "x"))).isPresent();
        assertThat(MetricsSettings.checkAllowed(Map.of("foo.x,bar", "x"))).isPresent();
    }

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
