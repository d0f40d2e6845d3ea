package io.berth.config.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A piece of a configuration file as it was written, with the line where it stands (from 1; 0
/// where it comes from nowhere).
public sealed interface Value {
    int line();

    /// The word for this kind of value in error messages.
    String word();

    /// An object. Keys are in the order in which kube-scheduler looks at them: that of the file for
    /// JSON, alphabetical for YAML.
    ///
    /// @param keyLines where the keys stand
    /// @param repeated keys that were given again; the last one counts
    record Fields(
            Map<String, Value> entries,
            Map<String, Integer> keyLines,
            List<Repeated> repeated,
            int line)
            implements Value {
        public static final Fields EMPTY = new Fields(Map.of(), Map.of(), List.of(), 0);

        public Fields {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
            keyLines = Map.copyOf(keyLines);
            repeated = List.copyOf(repeated);
        }

        public int keyLine(String field) {
            return keyLines.getOrDefault(field, line);
        }

        @Override
        public String word() {
            return "object";
        }

        /// The value of a field; null where it is absent or null.
        public @Nullable Value find(String field) {
            var value = entries.get(field);
            return value instanceof Nothing ? null : value;
        }

        public boolean has(String field) {
            return find(field) != null;
        }

        /// The object in a field, empty where there is none.
        public Fields fields(String field) {
            return find(field) instanceof Fields fields ? fields : EMPTY;
        }

        public List<Value> items(String field) {
            return find(field) instanceof Items items ? items.items : List.of();
        }

        /// The objects in a list; an entry that is null is an empty object, as in Go.
        public List<Fields> objects(String field) {
            var objects = new ArrayList<Fields>();
            for (var item : items(field)) {
                objects.add(item instanceof Fields fields ? fields : EMPTY);
            }
            return objects;
        }

        public List<String> texts(String field) {
            var texts = new ArrayList<String>();
            for (var item : items(field)) {
                texts.add(item instanceof Text text ? text.text : "");
            }
            return texts;
        }

        public String text(String field, String otherwise) {
            return find(field) instanceof Text text ? text.text : otherwise;
        }

        /// The same where an empty string counts as absent.
        public String filled(String field, String otherwise) {
            var text = text(field, "");
            return text.isEmpty() ? otherwise : text;
        }

        /// A duration, which has been checked; zero counts as absent.
        public Duration duration(String field, Duration otherwise) {
            var duration = DurationText.parse(text(field, "0"));
            return duration.isZero() ? otherwise : duration;
        }

        public boolean flag(String field, boolean otherwise) {
            return find(field) instanceof Flag flag ? flag.set : otherwise;
        }

        public long number(String field, long otherwise) {
            return find(field) instanceof Numeral number
                    ? Long.parseLong(number.literal)
                    : otherwise;
        }

        /// The same object with one field set anew.
        public Fields with(String field, Value value) {
            var changed = new LinkedHashMap<>(entries);
            changed.put(field, value);
            return new Fields(changed, keyLines, repeated, line);
        }

        public Fields without(String field) {
            var changed = new LinkedHashMap<>(entries);
            changed.remove(field);
            return new Fields(changed, keyLines, repeated, line);
        }
    }

    /// A key that an object has more than once.
    record Repeated(String key, int line) {}

    /// A list.
    record Items(List<Value> items, int line) implements Value {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String word() {
            return "array";
        }
    }

    /// A string.
    record Text(String text, int line) implements Value {
        @Override
        public String word() {
            return "string";
        }
    }

    /// A number, as JSON would write it.
    record Numeral(String literal, int line) implements Value {
        @Override
        public String word() {
            return "number";
        }
    }

    /// True or false.
    record Flag(boolean set, int line) implements Value {
        @Override
        public String word() {
            return "bool";
        }
    }

    /// Null, which counts as absent.
    record Nothing(int line) implements Value {
        @Override
        public String word() {
            return "null";
        }
    }

    static Text of(String text) {
        return new Text(text, 0);
    }

    static Numeral of(long number) {
        return new Numeral(Long.toString(number), 0);
    }

    static Flag of(boolean set) {
        return new Flag(set, 0);
    }

    static Items of(List<? extends Value> items) {
        return new Items(List.copyOf(items), 0);
    }

    static Fields of(String field, Value value) {
        return of(Map.of(field, value));
    }

    static Fields of(Map<String, ? extends Value> entries) {
        return new Fields(new LinkedHashMap<>(entries), Map.of(), List.of(), 0);
    }

    /// The same as maps, lists, strings, numbers and booleans, which is how plugins get their
    /// arguments. Null values are left out.
    static Object plain(Value value) {
        return switch (value) {
            case Fields fields -> plainMap(fields);
            case Items items ->
                    items.items.stream()
                            .filter(item -> !(item instanceof Nothing))
                            .map(Value::plain)
                            .toList();
            case Text text -> text.text;
            case Flag flag -> flag.set;
            case Numeral number -> plainNumber(number.literal);
            case Nothing nothing -> Map.of();
        };
    }

    static Map<String, Object> plainMap(Fields fields) {
        var map = new LinkedHashMap<String, Object>();
        fields.entries.forEach((key, value) -> {
            if (!(value instanceof Nothing)) {
                map.put(key, plain(value));
            }
        });
        return Collections.unmodifiableMap(map);
    }

    private static Object plainNumber(String literal) {
        try {
            return Long.parseLong(literal);
        } catch (NumberFormatException notWhole) {
            return Double.parseDouble(literal);
        }
    }
}
