package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// JSON merge patch, RFC 7386: objects merge field by field, null removes, all else replaces.
public final class MergePatch {
    private MergePatch() {}

    /// Applies a patch to an object; a new tree is returned.
    public static ObjectNode apply(ObjectNode original, JsonNode patch) {
        if (!(patch instanceof ObjectNode fields)) {
            throw PatchException.badRequest(
                    "error decoding patch: json: cannot unmarshal %s into Go value of type map[string]interface {}"
                            .formatted(Json.typeName(patch)));
        }
        return merge(original.deepCopy(), fields);
    }

    private static ObjectNode merge(ObjectNode target, ObjectNode patch) {
        for (var entry : patch.properties()) {
            String name = entry.getKey();
            switch (entry.getValue()) {
                case ObjectNode fields -> {
                    ObjectNode inner =
                            target.get(name) instanceof ObjectNode present
                                    ? present
                                    : JsonNodeFactory.instance.objectNode();
                    target.set(name, merge(inner, fields));
                }
                case JsonNode value when value.isNull() -> target.remove(name);
                case JsonNode value -> target.set(name, value.deepCopy());
            }
        }
        return target;
    }
}
