package io.berth.app.metrics;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What the operator wants of the metrics: the flags `--disabled-metrics`, `--allow-metric-labels`,
/// `--allow-metric-labels-manifest` and `--show-hidden-metrics-for-version` (P-295).
///
/// @param disabled names of metrics to leave out
/// @param allowedLabels allowed values by `metric,label`
public record MetricsSettings(Set<String> disabled, Map<String, Set<String>> allowedLabels) {
    public static final MetricsSettings DEFAULT = new MetricsSettings(Set.of(), Map.of());

    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";
    private static final Pattern NAME_PATTERN = Pattern.compile("^" + NAME + "$");
    private static final Pattern KEY_PATTERN = Pattern.compile(NAME + "," + LABEL);

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

    /// What is wrong with `--show-hidden-metrics-for-version`, if anything.
    ///
    /// @param version as given, empty where it was not
    /// @param previousMinor the one version that is allowed, such as `1.35`
    public static Optional<String> checkShownVersion(String version, String previousMinor) {
        if (version.isEmpty() || version.equals(previousMinor)) {
            return Optional.empty();
        }
        return Optional.of(
                ("metrics.showHiddenMetricsForVersion: Invalid value: \"%s\": must be omitted or have"
                                + " the value '%s'; only the previous minor version is allowed")
                        .formatted(version, previousMinor));
    }

    /// What is wrong with `--disabled-metrics`, if anything.
    public static Optional<String> checkDisabled(List<String> names) {
        return names.stream()
                .filter(name -> !NAME_PATTERN.matcher(name).matches())
                .findFirst()
                .map(name ->
                        ("metrics.disabledMetrics: Invalid value: [%s]: must be fully qualified"
                                        + " metric names matching \"%s\", got \"%s\"")
                                .formatted(
                                        names.stream()
                                                .map(MetricsSettings::quoted)
                                                .collect(Collectors.joining(",")),
                                        NAME_PATTERN,
                                        name));
    }

    /// What is wrong with the keys of `--allow-metric-labels`, if anything.
    public static Optional<String> checkAllowed(Map<String, String> allowed) {
        if (allowed.keySet().stream().allMatch(key -> KEY_PATTERN.matcher(key).matches())) {
            return Optional.empty();
        }
        String shown =
                new TreeMap<>(allowed)
                        .entrySet().stream()
                                .map(entry ->
                                        quoted(entry.getKey()) + ":" + quoted(entry.getValue()))
                                .collect(Collectors.joining(","));
        return Optional.of(
                ("metrics.allowListMapping: Invalid value: {%s}: must have keys with format"
                                + " `metricName,labelName` where metricName matches \"%s\" and"
                                + " labelName matches \"%s\"")
                        .formatted(shown, NAME, LABEL));
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
