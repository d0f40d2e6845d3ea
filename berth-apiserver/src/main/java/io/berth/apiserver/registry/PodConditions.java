package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The conditions in a pod's status.
final class PodConditions {
    private PodConditions() {}

    /// Sets a condition. Its transition time moves only when its status does.
    static void set(
            ObjectNode status,
            String type,
            String value,
            String reason,
            String message,
            String now) {
        ArrayNode conditions =
                status.path("conditions") instanceof ArrayNode known
                        ? known
                        : status.putArray("conditions");
        ObjectNode condition = null;
        for (JsonNode candidate : conditions) {
            if (candidate instanceof ObjectNode found && text(found, "type").equals(type)) {
                condition = found;
            }
        }
        if (condition == null) {
            condition = conditions.addObject().put("type", type);
            condition.putNull("lastProbeTime");
        }
        boolean flips = !text(condition, "status").equals(value);
        condition.put("status", value);
        if (flips || !condition.hasNonNull("lastTransitionTime")) {
            condition.put("lastTransitionTime", now);
        }
        putOrRemove(condition, "reason", reason);
        putOrRemove(condition, "message", message);
    }

    static boolean isReady(JsonNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (text(condition, "type").equals("Ready")) {
                return text(condition, "status").equals("True");
            }
        }
        return false;
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    private static void putOrRemove(ObjectNode node, String field, String value) {
        if (value.isEmpty()) {
            node.remove(field);
        } else {
            node.put(field, value);
        }
    }
}
