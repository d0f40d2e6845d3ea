package io.berth.api.label;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A condition on an object's labels: all requirements must hold.
///
/// An absent selector in the API is [#NOTHING]; an empty one is [#EVERYTHING].
///
/// @param problem why this selector could not be understood, or null; such a selector matches
///   nothing
public record LabelSelector(
        List<Requirement> requirements, boolean matchesNothing, @Nullable String problem) {
    public static final LabelSelector NOTHING = new LabelSelector(List.of(), true, null);
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of(), false, null);

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    public static LabelSelector of(List<Requirement> requirements) {
        return requirements.isEmpty()
                ? EVERYTHING
                : new LabelSelector(requirements, false, problemOf(requirements));
    }

    public static LabelSelector of(Map<String, String> matchLabels, List<Requirement> expressions) {
        var all = new ArrayList<Requirement>();
        matchLabels.forEach((key, value) -> all.add(Requirement.is(key, value)));
        all.addAll(expressions);
        return of(all);
    }

    public static LabelSelector matching(String key, String value) {
        return of(List.of(Requirement.is(key, value)));
    }

    public boolean isEmpty() {
        return requirements.isEmpty() && !matchesNothing;
    }

    public boolean matches(Labels labels) {
        if (matchesNothing || problem != null) {
            return false;
        }
        for (var requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /// As people write it.
    public String text() {
        if (requirements.isEmpty()) {
            return matchesNothing ? "(none)" : "(all)";
        }
        return requirements.stream().map(Requirement::text).collect(Collectors.joining(","));
    }

    /// This selector with one more requirement; one that matches nothing stays so.
    public LabelSelector and(Requirement requirement) {
        if (matchesNothing) {
            return this;
        }
        var all = new ArrayList<>(requirements);
        all.add(requirement);
        return of(all);
    }

    private static @Nullable String problemOf(List<Requirement> requirements) {
        for (var requirement : requirements) {
            var problem = problemOf(requirement);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problemOf(Requirement requirement) {
        var values = requirement.values();
        return switch (requirement.operator()) {
            case IN, NOT_IN ->
                    values.isEmpty()
                            ? "values: Invalid value: []: for 'in', 'notin' operators, values set"
                                    + " can't be empty"
                            : problemOfTexts(requirement);
            case EXISTS, DOES_NOT_EXIST ->
                    values.isEmpty()
                            ? problemOfTexts(requirement)
                            : "values: Invalid value: "
                                    + values
                                    + ": values set must be empty for exists and does not exist";
            case GT, LT, UNKNOWN ->
                    "\"" + requirement.operator() + "\" is not a valid label selector operator";
        };
    }

    private static @Nullable String problemOfTexts(Requirement requirement) {
        var key = requirement.key();
        if (!LabelSyntax.isKey(key)) {
            return invalid("key", key, LabelSyntax.problemsOfKey(key));
        }
        for (int i = 0; i < requirement.values().size(); i++) {
            var value = requirement.values().get(i);
            if (!LabelSyntax.isValue(value)) {
                var path = "values[" + i + "][" + key + "]";
                return invalid(path, value, LabelSyntax.problemsOfValue(value));
            }
        }
        return null;
    }

    private static String invalid(String path, String text, List<String> problems) {
        return path + ": Invalid value: \"" + text + "\": " + String.join("; ", problems);
    }
}
