package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Takes the directives out of a strategic merge patch where there is nothing to merge with, so
/// that what is left can be stored.
final class Directives {
    private Directives() {}

    /// The value without directives and nulls; null for an object that is a directive as a whole.
    static @Nullable JsonNode strip(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> stripObject(object);
            case ArrayNode list -> stripList(list);
            default -> value;
        };
    }

    static ArrayNode stripList(ArrayNode list) {
        ArrayNode clean = list.arrayNode();
        for (JsonNode element : list) {
            JsonNode kept = strip(element);
            if (kept != null) {
                clean.add(kept);
            }
        }
        return clean;
    }

    private static @Nullable ObjectNode stripObject(ObjectNode object) {
        JsonNode directive = object.get(StrategicMergePatch.DIRECTIVE);
        if (directive != null && directive.asText("").equals("delete")) {
            return null;
        }
        ObjectNode clean = object.objectNode();
        for (var entry : new ArrayList<>(object.properties())) {
            if (!entry.getKey().startsWith("$") && !entry.getValue().isNull()) {
                JsonNode kept = strip(entry.getValue());
                if (kept != null) {
                    clean.set(entry.getKey(), kept);
                }
            }
        }
        return clean;
    }
}
