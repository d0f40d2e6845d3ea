package io.berth.plugins.arguments;

import io.berth.api.plugin.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reads the fields of one object of a plugin's arguments. A field of the wrong type, and one that
/// nobody read, is a problem.
public final class ArgumentReader {
    private static final Set<String> HEADER = Set.of("apiVersion", "kind");

    private final String path;
    private final Map<?, ?> values;
    private final Problems problems;
    private final Set<String> known = new TreeSet<>();

    private ArgumentReader(String path, Map<?, ?> values, Problems problems) {
        this.path = path;
        this.values = values;
        this.problems = problems;
    }

    public static ArgumentReader of(Arguments arguments) {
        var reader = new ArgumentReader("", arguments.values(), new Problems());
        reader.known.addAll(HEADER);
        return reader;
    }

    public Problems problems() {
        return problems;
    }

    /// Where a field stands, such as `scoringStrategy.resources[0].weight`.
    public String path(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    public boolean has(String field) {
        return value(field) != null;
    }

    public String text(String field, String otherwise) {
        return switch (value(field)) {
            case null -> otherwise;
            case String text -> text;
            case Object other -> {
                problems.invalid(path(field), other, "must be a string");
                yield otherwise;
            }
        };
    }

    public boolean flag(String field, boolean otherwise) {
        return switch (value(field)) {
            case null -> otherwise;
            case Boolean flag -> flag;
            case Object other -> {
                problems.invalid(path(field), other, "must be true or false");
                yield otherwise;
            }
        };
    }

    public int integer(String field, int otherwise) {
        return (int) number(field, otherwise, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public long longInteger(String field, long otherwise) {
        return number(field, otherwise, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long number(String field, long otherwise, long min, long max) {
        var value = value(field);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            if (number >= min && number <= max) {
                return number;
            }
        }
        problems.invalid(path(field), value, "must be an integer");
        return otherwise;
    }

    public List<String> texts(String field) {
        var texts = new ArrayList<String>();
        var list = list(field);
        for (int i = 0; i < list.size(); i++) {
            switch (list.get(i)) {
                case String text -> texts.add(text);
                case Object other ->
                        problems.invalid(path(field) + "[" + i + "]", other, "must be a string");
            }
        }
        return texts;
    }

    public List<ArgumentReader> objects(String field) {
        var readers = new ArrayList<ArgumentReader>();
        var list = list(field);
        for (int i = 0; i < list.size(); i++) {
            var reader = nested(path(field) + "[" + i + "]", list.get(i));
            if (reader != null) {
                readers.add(reader);
            }
        }
        return readers;
    }

    /// The object in a field, or null where there is none.
    public @Nullable ArgumentReader object(String field) {
        var value = value(field);
        return value == null ? null : nested(path(field), value);
    }

    /// Complains about fields that were not asked for. Call when all have been read.
    public void finish() {
        for (var key : values.keySet()) {
            if (!known.contains(String.valueOf(key))) {
                problems.unknownField(path(String.valueOf(key)));
            }
        }
    }

    private @Nullable Object value(String field) {
        known.add(field);
        return values.get(field);
    }

    private List<?> list(String field) {
        return switch (value(field)) {
            case null -> List.of();
            case List<?> list -> list;
            case Object other -> {
                problems.invalid(path(field), other, "must be a list");
                yield List.of();
            }
        };
    }

    private @Nullable ArgumentReader nested(String where, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return new ArgumentReader(where, map, problems);
        }
        problems.invalid(where, String.valueOf(value), "must be an object");
        return null;
    }
}
