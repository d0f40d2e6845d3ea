package io.berth.config.schema;

import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.Struct;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Items;
import java.util.HashMap;
import java.util.LinkedHashMap;

/// Gives fields the spelling that their type has, whatever their case.
public final class SpellingOf {
    private SpellingOf() {}

    public static Fields type(Fields fields, Struct type) {
        var entries = new LinkedHashMap<String, Value>();
        var lines = new HashMap<String, Integer>();
        fields.entries()
                .forEach((key, value) -> {
                    var name = name(key, type);
                    var inner = type.fields().get(name);
                    entries.put(name, inner == null ? value : value(value, inner));
                    lines.put(name, fields.keyLine(key));
                });
        return new Fields(entries, lines, fields.repeated(), fields.line());
    }

    private static Value value(Value value, Type type) {
        if (value instanceof Fields fields && type instanceof Struct struct) {
            return type(fields, struct);
        }
        if (value instanceof Items items && type instanceof ListOf list) {
            return new Items(
                    items.items().stream().map(item -> value(item, list.element())).toList(),
                    items.line());
        }
        return value;
    }

    private static String name(String key, Struct type) {
        if (type.fields().containsKey(key)) {
            return key;
        }
        return type.fields().keySet().stream()
                .filter(name -> name.equalsIgnoreCase(key))
                .findFirst()
                .orElse(key);
    }
}
