package io.berth.plugins.arguments;

import io.berth.api.label.LabelSyntax;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// What is wrong with some arguments, gathered so that the operator hears of all of it at once. The
/// wording is that of the Kubernetes API.
public final class Problems {
    private final List<String> messages = new ArrayList<>();

    public void invalid(String path, Object value, String detail) {
        messages.add(path + ": Invalid value: " + shown(value) + ": " + detail);
    }

    /// Takes note of everything that keeps a text from being the key of a label. Names of resources
    /// and topologies are such keys.
    public void checkLabelKey(String path, String key) {
        LabelSyntax.problemsOfKey(key).forEach(problem -> invalid(path, key, problem));
    }

    public void required(String path, String detail) {
        messages.add(path + ": Required value: " + detail);
    }

    public void forbidden(String path, String detail) {
        messages.add(path + ": Forbidden: " + detail);
    }

    public void duplicate(String path, Object value) {
        messages.add(path + ": Duplicate value: " + shown(value));
    }

    public void unsupported(String path, String value, String... supported) {
        var choices =
                Arrays.stream(supported).map(Problems::quoted).collect(Collectors.joining(", "));
        messages.add(
                path + ": Unsupported value: " + quoted(value) + ": supported values: " + choices);
    }

    public void unknownField(String path) {
        messages.add("strict decoding error: unknown field " + quoted(path));
    }

    /// @throws IllegalArgumentException where there is a problem; the message names them all
    public void throwIfAny() {
        if (messages.isEmpty()) {
            return;
        }
        var distinct = messages.stream().distinct().toList();
        if (distinct.size() == 1) {
            throw new IllegalArgumentException(distinct.getFirst());
        }
        throw new IllegalArgumentException("[" + String.join(", ", distinct) + "]");
    }

    private static String shown(Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case List<?> list ->
                    list.stream().map(Problems::shown).collect(Collectors.joining(",", "[", "]"));
            default -> String.valueOf(value);
        };
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
