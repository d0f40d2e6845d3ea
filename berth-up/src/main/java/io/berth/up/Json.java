package io.berth.up;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// JSON trees of API objects, and their bytes.
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /// Reads a tree from the text of a template in this program.
    static ObjectNode parse(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text);
        } catch (JsonProcessingException mistake) {
            throw new IllegalStateException("A template is no JSON: " + text, mistake);
        }
    }

    static byte[] bytes(ObjectNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException mistake) {
            throw new IllegalStateException("A tree cannot be written", mistake);
        }
    }

    /// Appends a condition of a pod or node.
    static void addCondition(ArrayNode conditions, String type, String status, String time) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", status)
                .put("lastTransitionTime", time);
    }
}
