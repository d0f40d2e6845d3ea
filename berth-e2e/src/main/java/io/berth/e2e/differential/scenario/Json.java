package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Short ways to write down JSON.
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    /// An object of alternating keys and values; a null value leaves its key out.
    public static ObjectNode object(@Nullable Object... keysAndValues) {
        var result = NODES.objectNode();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            var value = keysAndValues[i + 1];
            if (value != null) {
                result.set((String) keysAndValues[i], value(value));
            }
        }
        return result;
    }

    public static ArrayNode array(Object... values) {
        var result = NODES.arrayNode();
        for (var value : values) {
            result.add(value(value));
        }
        return result;
    }

    public static ArrayNode array(Collection<?> values) {
        return array(values.toArray());
    }

    /// The list, or null where it is empty, so that its key is left out.
    static @Nullable ArrayNode arrayOrNull(Collection<?> values) {
        return values.isEmpty() ? null : array(values);
    }

    public static ObjectNode parse(String json) {
        try {
            return (ObjectNode) MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + json, e);
        }
    }

    private static JsonNode value(Object value) {
        return switch (value) {
            case JsonNode node -> node;
            case String text -> NODES.textNode(text);
            case Integer number -> NODES.numberNode(number);
            case Long number -> NODES.numberNode(number);
            case Boolean truth -> NODES.booleanNode(truth);
            case Collection<?> list -> array(list);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }
}
