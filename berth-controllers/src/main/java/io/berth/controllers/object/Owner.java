package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.Resource;

/// A reference to an owner.
///
/// @param controller whether this owner is the one that manages the object
/// @param blocks whether the owner, deleted in the foreground, waits for the object
public record Owner(
        String apiVersion,
        String kind,
        String name,
        String uid,
        boolean controller,
        boolean blocks) {

    static Owner of(JsonNode tree) {
        return new Owner(
                tree.path("apiVersion").asText(""),
                tree.path("kind").asText(""),
                tree.path("name").asText(""),
                tree.path("uid").asText(""),
                tree.path("controller").asBoolean(false),
                tree.path("blockOwnerDeletion").asBoolean(false));
    }

    /// The reference by which something is managed by an object.
    public static Owner managing(Resource kind, Meta owner) {
        return new Owner(kind.apiVersion(), kind.kind(), owner.name(), owner.uid(), true, true);
    }

    public ObjectNode tree() {
        ObjectNode tree =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("apiVersion", apiVersion)
                        .put("kind", kind)
                        .put("name", name)
                        .put("uid", uid);
        if (controller) {
            tree.put("controller", true);
        }
        if (blocks) {
            tree.put("blockOwnerDeletion", true);
        }
        return tree;
    }
}
