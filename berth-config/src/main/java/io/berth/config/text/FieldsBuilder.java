package io.berth.config.text;

import io.berth.config.text.Value.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Puts an object together, in the order in which it is to be written.
public final class FieldsBuilder {
    private final Map<String, Value> entries = new LinkedHashMap<>();

    public FieldsBuilder put(String name, Value value) {
        entries.put(name, value);
        return this;
    }

    public FieldsBuilder put(String name, String text) {
        return put(name, Value.of(text));
    }

    public FieldsBuilder put(String name, long number) {
        return put(name, Value.of(number));
    }

    public FieldsBuilder put(String name, boolean set) {
        return put(name, Value.of(set));
    }

    /// Leaves out false, as Go does where a field may be omitted.
    public FieldsBuilder putIfSet(String name, boolean set) {
        return set ? put(name, true) : this;
    }

    public FieldsBuilder putIfSet(String name, String text) {
        return text.isEmpty() ? this : put(name, text);
    }

    public FieldsBuilder putIfSet(String name, long number) {
        return number == 0 ? this : put(name, number);
    }

    public FieldsBuilder putIfSet(String name, List<? extends Value> items) {
        return items.isEmpty() ? this : put(name, Value.of(items));
    }

    public Fields build() {
        return Value.of(entries);
    }
}
