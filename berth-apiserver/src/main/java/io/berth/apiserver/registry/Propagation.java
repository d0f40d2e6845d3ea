package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;

/// What a deletion means for the objects that the deleted one owns, written as finalizers. A
/// garbage collector acts on them and takes them away; where none runs, the object waits for one,
/// as it does in a real cluster.
final class Propagation {
    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    private Propagation() {}

    /// Sets the finalizers that the policy asks for.
    ///
    /// @return whether the object changed
    static boolean setFinalizers(ResourceType type, ObjectNode object, DeleteOptions options) {
        if (KindRules.ignoresPropagation(type)) {
            return false;
        }
        List<String> before = finalizers(object);
        var after = new ArrayList<>(before);
        after.removeIf(each -> each.equals(ORPHAN) || each.equals(FOREGROUND));
        switch (policy(type, before, options)) {
            case "Orphan" -> after.add(ORPHAN);
            case "Foreground" -> after.add(FOREGROUND);
            default -> {
                // Dependents go in the background.
            }
        }
        if (after.equals(before)) {
            return false;
        }
        if (after.isEmpty()) {
            Meta.of(object).remove("finalizers");
        } else {
            after.forEach(Meta.of(object).putArray("finalizers")::add);
        }
        return true;
    }

    private static String policy(ResourceType type, List<String> before, DeleteOptions options) {
        if (!options.propagationPolicy().isEmpty()) {
            return options.propagationPolicy();
        }
        if (before.contains(ORPHAN)) {
            return "Orphan";
        }
        if (before.contains(FOREGROUND)) {
            return "Foreground";
        }
        return KindRules.orphansByDefault(type) ? "Orphan" : "Background";
    }

    private static List<String> finalizers(ObjectNode object) {
        return object.path("metadata")
                .path("finalizers")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }
}
