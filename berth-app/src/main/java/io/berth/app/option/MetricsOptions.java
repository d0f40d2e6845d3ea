package io.berth.app.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.berth.config.gate.Versions;
import io.berth.config.text.Documents;
import io.berth.config.text.FileProblems;
import io.berth.config.text.GoText;
import io.berth.config.text.SmallFiles;
import io.berth.config.text.TextException;
import io.berth.config.text.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What the flags of the group "metrics" ask for.
///
/// @param showHiddenForVersion the version whose hidden metrics are shown; empty for none
/// @param disabled full names of metrics that are left out
/// @param allowedLabels by `metric,label` the values that the label may take, separated by commas
/// @param allowedLabelsFile a file with such a map
public record MetricsOptions(
        String showHiddenForVersion,
        List<String> disabled,
        Map<String, String> allowedLabels,
        Optional<Path> allowedLabelsFile) {
    public static final MetricsOptions DEFAULT =
            new MetricsOptions("", List.of(), Map.of(), Optional.empty());

    private static final String METRIC = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";
    private static final Pattern KEY = Pattern.compile(METRIC + "," + LABEL);

    /// Made when something is wrong, since it takes long to make.
    private static final class Json {
        private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    }

    public MetricsOptions {
        disabled = List.copyOf(disabled);
        allowedLabels = Map.copyOf(allowedLabels);
    }

    /// The values that labels may take, from the flag or the file, which has been checked.
    public Map<String, String> labelValues() {
        return allowedLabelsFile.map(MetricsOptions::readChecked).orElse(allowedLabels);
    }

    /// What is wrong with these options, in the words of kube-scheduler.
    public List<String> check() {
        var problems = new ArrayList<String>();
        String previous = Versions.BINARY.major() + "." + (Versions.BINARY.minor() - 1);
        if (!showHiddenForVersion.isEmpty() && !showHiddenForVersion.equals(previous)) {
            problems.add(
                    "metrics.showHiddenMetricsForVersion: Invalid value: %s: must be omitted or have the value '%s'; only the previous minor version is allowed"
                            .formatted(GoText.quote(showHiddenForVersion), previous));
        }
        disabled.stream()
                .filter(name -> !name.matches(METRIC))
                .findFirst()
                .ifPresent(name -> problems.add(wrongName(name)));
        if (hasWrongKey(allowedLabels)) {
            problems.add(wrongKey("metrics.allowListMapping", allowedLabels));
        }
        allowedLabelsFile.flatMap(MetricsOptions::checkFile).ifPresent(problems::add);
        if (!allowedLabels.isEmpty() && allowedLabelsFile.isPresent()) {
            problems.add(contradiction(allowedLabelsFile.get()));
        }
        return problems;
    }

    private String wrongName(String name) {
        return "metrics.disabledMetrics: Invalid value: %s: must be fully qualified metric names matching %s, got %s"
                .formatted(json(disabled), GoText.quote("^" + METRIC + "$"), GoText.quote(name));
    }

    private static boolean hasWrongKey(Map<String, String> labels) {
        return !labels.keySet().stream().allMatch(key -> KEY.matcher(key).matches());
    }

    private static String wrongKey(String path, Map<String, String> labels) {
        return "%s: Invalid value: %s: must have keys with format `metricName,labelName` where metricName matches %s and labelName matches %s"
                .formatted(
                        path,
                        json(new TreeMap<>(labels)),
                        GoText.quote(METRIC),
                        GoText.quote(LABEL));
    }

    private String contradiction(Path file) {
        var value = new LinkedHashMap<String, Object>();
        if (!showHiddenForVersion.isEmpty()) {
            value.put("showHiddenMetricsForVersion", showHiddenForVersion);
        }
        if (!disabled.isEmpty()) {
            value.put("disabledMetrics", disabled);
        }
        value.put("allowListMapping", new TreeMap<>(allowedLabels));
        value.put("allowListMappingManifest", file.toString());
        return "metrics: Invalid value: "
                + json(value)
                + ": cannot specify both allowListMapping and allowListMappingManifest";
    }

    private static Optional<String> checkFile(Path file) {
        String start =
                "metrics.allowListMappingManifest: Invalid value: "
                        + GoText.quote(file.toString())
                        + ": ";
        try {
            Map<String, String> labels = read(file);
            return hasWrongKey(labels)
                    ? Optional.of(
                            start
                                    + "invalid allow list mapping in manifest: ["
                                    + wrongKey("metrics.allowListMappingManifest", labels)
                                    + "]")
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(
                    start
                            + "failed to read allow list manifest: "
                            + FileProblems.text("open", file, unreadable));
        } catch (TextException broken) {
            return Optional.of(start + "failed to parse allow list manifest: " + broken.sentence());
        }
    }

    private static Map<String, String> readChecked(Path file) {
        try {
            return read(file);
        } catch (IOException | TextException vanished) {
            throw new OptionsException("failed to read allow list manifest: " + vanished);
        }
    }

    private static Map<String, String> read(Path file) throws IOException, TextException {
        Value tree = Documents.first(SmallFiles.read(file));
        var labels = new TreeMap<String, String>();
        if (tree instanceof Value.Nothing) {
            return labels;
        }
        if (!(tree instanceof Value.Fields map)) {
            throw new TextException("the file must hold a map of strings");
        }
        for (var entry : map.entries().entrySet()) {
            labels.put(entry.getKey(), text(entry.getKey(), entry.getValue()));
        }
        return labels;
    }

    private static String text(String key, Value value) throws TextException {
        return switch (value) {
            case Value.Text text -> text.text();
            case Value.Numeral number -> number.literal();
            case Value.Flag flag -> String.valueOf(flag.set());
            case Value.Nothing _ -> "";
            case Value.Fields _, Value.Items _ ->
                    throw new TextException("the value of " + key + " must be a string");
        };
    }

    private static String json(Object value) {
        try {
            return Json.MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
