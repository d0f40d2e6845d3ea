package io.berth.app.flag;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The flags that were given, by their proper names, with every value in order, and the arguments
/// between them.
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

    public boolean isTrue(String name) throws FlagException {
        Optional<String> value = value(name);
        return value.isPresent() && GoSyntax.parseBool(value.get());
    }
}
