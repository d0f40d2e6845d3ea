package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/// The conditions in a status.
public final class Conditions {
    private Conditions() {}

    public static Optional<JsonNode> find(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .filter(each -> each.path("type").asText().equals(type))
                .findFirst();
    }

    public static boolean isTrue(JsonNode status, String type) {
        return find(status, type)
                .filter(each -> each.path("status").asText().equals("True"))
                .isPresent();
    }

    /// Sets a condition; its time of transition changes with its status alone.
    public static void set(
            ObjectNode status,
            String type,
            String value,
            String reason,
            String message,
            Instant now) {
        ObjectNode condition = entry(Trees.list(status, "conditions"), type);
        if (!condition.path("status").asText().equals(value)) {
            condition.put("lastTransitionTime", Trees.time(now));
        }
        condition.put("status", value).put("reason", reason).put("message", message);
    }

    public static void remove(ObjectNode status, String type) {
        ArrayNode conditions = Trees.list(status, "conditions");
        for (int i = conditions.size() - 1; i >= 0; i--) {
            if (conditions.get(i).path("type").asText().equals(type)) {
                conditions.remove(i);
            }
        }
    }

    private static ObjectNode entry(ArrayNode conditions, String type) {
        for (JsonNode each : conditions) {
            if (each instanceof ObjectNode found && each.path("type").asText().equals(type)) {
                return found;
            }
        }
        return conditions.addObject().put("type", type);
    }
}
