package io.berth.app.flag;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The flags that were given, by their proper names, with every value in order, and the arguments
/// between them. The values have passed the checks of their types.
public record ParsedFlags(Map<String, List<String>> values, List<String> arguments) {
    public ParsedFlags {
        values = Map.copyOf(values);
        arguments = List.copyOf(arguments);
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /// The last value given, since a later flag overrides an earlier one.
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name)).map(List::getLast);
    }

    /// Every value given, in order.
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /// The text given, unless it is empty, which means the same as no flag.
    public Optional<String> text(String name) {
        return value(name).filter(text -> !text.isEmpty());
    }

    public Optional<Path> path(String name) {
        return text(name).map(Path::of);
    }

    public boolean isTrue(String name) {
        return bool(name).orElse(false);
    }

    public Optional<Boolean> bool(String name) {
        return value(name).map(text -> checked(() -> GoSyntax.parseBool(text)));
    }

    public Optional<Long> integer(String name) {
        return value(name).map(text -> checked(() -> GoSyntax.parseInt(text, 64)));
    }

    public List<Integer> integers(String name) {
        var numbers = new ArrayList<Integer>();
        for (String value : all(name)) {
            for (String item : value.split(",", -1)) {
                numbers.add(checked(() -> (int) GoSyntax.parseInt(item, 32)));
            }
        }
        return numbers;
    }

    /// A verbosity.
    public Optional<Integer> level(String name) {
        return value(name).map(text -> checked(() -> GoSyntax.parseLevel(text)));
    }

    public Optional<Float> number(String name) {
        return value(name).map(text -> checked(() -> GoSyntax.parseFloat(text)));
    }

    public Optional<Duration> duration(String name) {
        return value(name).map(text -> checked(() -> GoSyntax.parseDuration(text)));
    }

    /// The items of a list; empty if the flag was not given, which is not the same as an empty
    /// list.
    public Optional<List<String>> strings(String name) {
        return has(name) ? Optional.of(checked(() -> Csv.fields(all(name)))) : Optional.empty();
    }

    /// The pairs of a map, by key.
    public Map<String, String> pairs(String name) {
        return checked(() -> Pairs.readAll(all(name)));
    }

    private static <T> T checked(Reader<T> reader) {
        try {
            return reader.read();
        } catch (FlagException impossible) {
            throw new IllegalStateException("A flag was not checked by its type", impossible);
        }
    }

    private interface Reader<T> {
        T read() throws FlagException;
    }
}
