package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Chooses objects by their labels. One without requirements chooses all.
public record Selector(List<Requirement> requirements) implements Predicate<Map<String, String>> {
    /// One condition on one label.
    public record Requirement(String key, String operator, List<String> values) {
        private boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                case "Gt" -> compare(value) > 0;
                case "Lt" -> compare(value) < 0;
                default -> false;
            };
        }

        /// 0, which satisfies neither side, where something is no number.
        private int compare(@org.jspecify.annotations.Nullable String value) {
            try {
                return value == null || values.isEmpty()
                        ? 0
                        : Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException notANumber) {
                return 0;
            }
        }
    }

    public Selector {
        requirements = List.copyOf(requirements);
    }

    /// Reads `matchLabels` and `matchExpressions`.
    public static Selector of(JsonNode tree) {
        var requirements = new ArrayList<>(ofMap(tree.path("matchLabels")).requirements);
        requirements.addAll(expressions(tree.path("matchExpressions")));
        return new Selector(requirements);
    }

    /// Reads a plain map of labels, as replication controllers and node selectors have it.
    public static Selector ofMap(JsonNode labels) {
        var requirements = new ArrayList<Requirement>();
        for (var each : labels.properties()) {
            requirements.add(
                    new Requirement(each.getKey(), "In", List.of(each.getValue().asText())));
        }
        return new Selector(requirements);
    }

    public static List<Requirement> expressions(JsonNode list) {
        var requirements = new ArrayList<Requirement>();
        for (JsonNode each : list) {
            var values = each.path("values").valueStream().map(JsonNode::asText).toList();
            requirements.add(
                    new Requirement(
                            each.path("key").asText(), each.path("operator").asText(), values));
        }
        return requirements;
    }

    @Override
    public boolean test(Map<String, String> labels) {
        return requirements.stream().allMatch(each -> each.matches(labels));
    }

    public boolean isEmpty() {
        return requirements.isEmpty();
    }
}
