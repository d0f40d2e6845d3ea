package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.stream.Collectors;

/// Comparison of JSON values by meaning, and their names in messages.
final class Json {
    /// Only called for leaves: `1` and `1.0` and a long 1 are one number.
    private static final Comparator<JsonNode> LEAVES =
            (a, b) -> {
                if (a.isNumber() && b.isNumber()) {
                    return a.decimalValue().compareTo(b.decimalValue());
                }
                return a.equals(b) ? 0 : 1;
            };

    private Json() {}

    /// Whether two trees say the same, whatever Java types hold their numbers.
    static boolean same(JsonNode a, JsonNode b) {
        return a.equals(LEAVES, b);
    }

    static boolean contains(ArrayNode list, JsonNode value) {
        return indexOf(list, value) >= 0;
    }

    static int indexOf(ArrayNode list, JsonNode value) {
        for (int i = 0; i < list.size(); i++) {
            if (same(list.get(i), value)) {
                return i;
            }
        }
        return -1;
    }

    /// The word of Go's JSON decoder for the type of a value.
    static String typeName(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case NULL, MISSING -> "null";
        };
    }

    /// A value as Go's `%v` prints it: `map[image:x name:c]`.
    static String goText(JsonNode node) {
        return switch (node) {
            case ObjectNode object ->
                    object.properties().stream()
                            .sorted(java.util.Map.Entry.comparingByKey())
                            .map(entry -> entry.getKey() + ":" + goText(entry.getValue()))
                            .collect(Collectors.joining(" ", "map[", "]"));
            case ArrayNode list ->
                    list.valueStream().map(Json::goText).collect(Collectors.joining(" ", "[", "]"));
            default -> node.isNull() ? "<nil>" : node.asText();
        };
    }
}
