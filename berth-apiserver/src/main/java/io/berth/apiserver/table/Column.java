package io.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.Function;

/// One column of a table.
///
/// @param format `name` for the column that names the object, else empty
/// @param priority 0 for columns that are always shown, 1 for those of `-o wide`
/// @param description a word of help for readers of the table's definition
/// @param cell the value for an object at a moment: a text, a number or a boolean
record Column(
        String name,
        String type,
        String format,
        int priority,
        String description,
        BiFunction<JsonNode, Instant, Object> cell) {

    static final Column NAME =
            new Column(
                    "Name",
                    "string",
                    "name",
                    0,
                    "The name of the object, unique among its kind in the namespace.",
                    (object, now) -> object.path("metadata").path("name").asText(""));
    static final Column AGE =
            new Column(
                    "Age",
                    "string",
                    "",
                    0,
                    "The time since the object was created.",
                    (object, now) ->
                            Durations.since(
                                    object.path("metadata").path("creationTimestamp"), now));

    static Column text(String name, Function<JsonNode, String> cell) {
        return new Column(name, "string", "", 0, "", (object, now) -> cell.apply(object));
    }

    static Column number(String name, Function<JsonNode, Long> cell) {
        return new Column(name, "integer", "", 0, "", (object, now) -> cell.apply(object));
    }

    static Column flag(String name, Function<JsonNode, Boolean> cell) {
        return new Column(name, "boolean", "", 0, "", (object, now) -> cell.apply(object));
    }

    static Column timed(String name, BiFunction<JsonNode, Instant, String> cell) {
        return new Column(name, "string", "", 0, "", cell::apply);
    }

    /// A column declared as text whose cells are numbers or booleans, as upstream has some.
    static Column loose(String name, Function<JsonNode, Object> cell) {
        return new Column(name, "string", "", 0, "", (object, now) -> cell.apply(object));
    }

    /// The same column, shown with `-o wide` alone.
    Column wide() {
        return new Column(name, type, format, 1, description, cell);
    }

    Column named(String newName) {
        return new Column(newName, type, format, priority, description, cell);
    }

    Column withFormat(String newFormat) {
        return new Column(name, type, newFormat, priority, description, cell);
    }
}
