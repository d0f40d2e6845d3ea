package io.berth.serving.metrics;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What the operator wants of the metrics: the flags `--disabled-metrics`, `--allow-metric-labels`
/// and `--allow-metric-labels-manifest`, checked (P-295). No metric is hidden in this release, so
/// `--show-hidden-metrics-for-version` changes nothing.
///
/// @param disabled names of metrics to leave out
/// @param allowedLabels allowed values by `metric,label`
public record MetricsSettings(Set<String> disabled, Map<String, Set<String>> allowedLabels) {
    public static final MetricsSettings DEFAULT = new MetricsSettings(Set.of(), Map.of());

    public MetricsSettings {
        disabled = Set.copyOf(disabled);
        allowedLabels = Map.copyOf(allowedLabels);
    }

    /// @param allowed values separated by commas, by `metric,label`: the flag's map, or the
    ///   manifest's
    public static MetricsSettings of(List<String> disabled, Map<String, String> allowed) {
        var sets =
                allowed.entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey,
                                        entry -> Set.of(entry.getValue().split(",", -1))));
        return new MetricsSettings(new LinkedHashSet<>(disabled), sets);
    }
}
