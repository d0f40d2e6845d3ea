package io.berth.config.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What is wrong with a configuration, gathered so that the operator hears of all of it at once
/// (rules P-49, P-50).
public final class Problems {
    private final List<String> messages = new ArrayList<>();

    public void invalid(String path, long value, String detail) {
        invalidShown(path, Long.toString(value), detail);
    }

    public void invalid(String path, String value, String detail) {
        invalidShown(path, JsonWriter.quoted(value), detail);
    }

    /// @param shown the value as the message shows it
    public void invalidShown(String path, String shown, String detail) {
        messages.add(path + ": Invalid value: " + shown + ": " + detail);
    }

    public void required(String path, String detail) {
        messages.add(path + ": Required value" + (detail.isEmpty() ? "" : ": " + detail));
    }

    public void forbidden(String path, String detail) {
        messages.add(path + ": Forbidden: " + detail);
    }

    public void duplicate(String path, String value) {
        messages.add(path + ": Duplicate value: " + JsonWriter.quoted(value));
    }

    public void unsupported(String path, String value, List<String> supported) {
        messages.add(
                "%s: Unsupported value: %s: supported values: %s"
                        .formatted(
                                path,
                                JsonWriter.quoted(value),
                                supported.stream()
                                        .map(JsonWriter::quoted)
                                        .collect(Collectors.joining(", "))));
    }

    /// A problem in its own words.
    public void add(String message) {
        messages.add(message);
    }

    public boolean isEmpty() {
        return messages.isEmpty();
    }

    public List<String> messages() {
        return messages.stream().distinct().toList();
    }

    public void throwIfAny() throws ConfigurationException {
        if (!messages.isEmpty()) {
            throw new ConfigurationException(messages());
        }
    }
}
