package io.berth.apiserver.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The one JSON mapper, and small questions to a tree whose shape nobody has promised.
public final class Json {
    /// Deeper bodies are refused, long before they could exhaust a stack.
    private static final int MAX_DEPTH = 500;

    public static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /// The bytes of a tree that the server made or checked itself.
    public static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] prettyBytes(JsonNode tree) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The tree of bytes that the server wrote itself.
    public static ObjectNode parse(byte[] json) {
        try {
            return (ObjectNode) MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The text at a dotted path such as `spec.nodeName`, or an empty text.
    public static String text(JsonNode tree, String dottedPath) {
        JsonNode node = tree;
        for (String step : dottedPath.split("\\.", -1)) {
            node = node.path(step);
        }
        return node.isValueNode() ? node.asText("") : "";
    }

    /// The object below `field`, put there if missing.
    public static ObjectNode ensure(ObjectNode tree, String field) {
        if (tree.get(field) instanceof ObjectNode child) {
            return child;
        }
        return tree.putObject(field);
    }

    /// Gives numbers the node types that parsing gives them, so that equal trees are equal. Changes
    /// the tree itself.
    public static ObjectNode normalized(ObjectNode tree) {
        normalize(tree);
        return tree;
    }

    private static void normalize(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties()
                    .forEach(e -> {
                        if (e.getValue() instanceof LongNode number && number.canConvertToInt()) {
                            e.setValue(IntNode.valueOf(number.intValue()));
                        } else {
                            normalize(e.getValue());
                        }
                    });
        } else if (tree instanceof ArrayNode array) {
            array.forEach(Json::normalize);
        }
    }

    /// Removes `null` members, which mean "not set" everywhere in the API.
    public static void dropNulls(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties().removeIf(e -> e.getValue().isNull());
            object.forEach(Json::dropNulls);
        } else if (tree instanceof ArrayNode array) {
            array.forEach(Json::dropNulls);
        }
    }
}
