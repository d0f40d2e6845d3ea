package io.berth.apiserver.selector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A conjunction of requirements on labels. The empty selector matches everything.
public record LabelSelector(List<Requirement> requirements) {
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /// How a label is judged.
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER_THAN,
        LESS_THAN
    }

    /// One condition on one label.
    public record Requirement(String key, Operator operator, Set<String> values) {
        public Requirement {
            values = Set.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER_THAN -> value != null && compare(value) > 0;
                case LESS_THAN -> value != null && compare(value) < 0;
            };
        }

        private String text() {
            String list = values.stream().sorted().collect(Collectors.joining(","));
            return switch (operator) {
                case IN -> values.size() == 1 ? key + "=" + list : key + " in (" + list + ")";
                case NOT_IN -> key + " notin (" + list + ")";
                case EXISTS -> key;
                case DOES_NOT_EXIST -> "!" + key;
                case GREATER_THAN -> key + ">" + list;
                case LESS_THAN -> key + "<" + list;
            };
        }

        /// 0, which satisfies neither comparison, when a side is not an integer.
        private int compare(String value) {
            OptionalLong left = integer(value);
            OptionalLong right = integer(values.iterator().next());
            return left.isPresent() && right.isPresent()
                    ? Long.compare(left.getAsLong(), right.getAsLong())
                    : 0;
        }

        private static OptionalLong integer(String text) {
            try {
                return OptionalLong.of(Long.parseLong(text));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
    }

    /// Reads the text form, such as `app=web,tier in (a,b),!canary`.
    ///
    /// @throws IllegalArgumentException with kube-apiserver's words if the text is not a selector
    public static LabelSelector parse(String text) {
        return text.isBlank() ? EVERYTHING : new LabelSelectorParser(text).parse();
    }

    /// Reads the JSON form, `matchLabels` and `matchExpressions`.
    public static LabelSelector of(JsonNode tree) {
        var requirements = new ArrayList<Requirement>();
        tree.path("matchLabels")
                .properties()
                .forEach(e ->
                        requirements.add(
                                new Requirement(
                                        e.getKey(), Operator.IN, Set.of(e.getValue().asText()))));
        for (JsonNode expression : tree.path("matchExpressions")) {
            var values = new TreeSet<String>();
            expression.path("values").forEach(v -> values.add(v.asText()));
            Operator operator =
                    switch (expression.path("operator").asText()) {
                        case "In" -> Operator.IN;
                        case "NotIn" -> Operator.NOT_IN;
                        case "Exists" -> Operator.EXISTS;
                        case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
                        default ->
                                throw new IllegalArgumentException(
                                        "\""
                                                + expression.path("operator").asText()
                                                + "\" is not a valid label selector operator");
                    };
            requirements.add(new Requirement(expression.path("key").asText(), operator, values));
        }
        return new LabelSelector(requirements);
    }

    public boolean matches(Map<String, String> labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /// The text form, sorted by key.
    public String text() {
        return requirements.stream()
                .sorted(Comparator.comparing(Requirement::key))
                .map(Requirement::text)
                .collect(Collectors.joining(","));
    }

    public boolean isEmpty() {
        return requirements.isEmpty();
    }
}
