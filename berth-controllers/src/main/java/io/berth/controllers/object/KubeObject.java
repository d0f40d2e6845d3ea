package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// An object as it was read, without the record of who wrote what. The tree is shared: whoever
/// wants another one makes a [#copy].
public record KubeObject(Meta meta, ObjectNode tree) implements Held {
    public static KubeObject of(ObjectNode tree) {
        if (tree.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return new KubeObject(Meta.of(tree), tree);
    }

    public JsonNode spec() {
        return tree.path("spec");
    }

    public JsonNode status() {
        return tree.path("status");
    }

    public ObjectNode copy() {
        return tree.deepCopy();
    }
}
