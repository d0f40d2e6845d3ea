package io.berth.apiserver.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import java.util.List;
import java.util.Map;

/// Translates events between core/v1, in which they are stored, and events.k8s.io/v1. Both groups
/// show the same objects; only names of fields differ.
public final class EventConverter {
    /// Names in core/v1, and what events.k8s.io/v1 calls the same.
    private static final Map<String, String> RENAMED =
            Map.of(
                    "involvedObject", "regarding",
                    "message", "note",
                    "source", "deprecatedSource",
                    "firstTimestamp", "deprecatedFirstTimestamp",
                    "lastTimestamp", "deprecatedLastTimestamp",
                    "count", "deprecatedCount",
                    "reportingComponent", "reportingController");

    private EventConverter() {}

    /// The core/v1 form of an events.k8s.io/v1 event.
    public static ObjectNode toCore(ObjectNode event) {
        return convert(event, "v1", false);
    }

    /// The events.k8s.io/v1 form of a core/v1 event.
    public static ObjectNode toEventsGroup(ObjectNode event) {
        ObjectNode converted = convert(event, "events.k8s.io/v1", true);
        // Empty texts are not shown in this form.
        for (String field : List.of("reportingController", "reportingInstance")) {
            if (converted.path(field).asText("").isEmpty()) {
                converted.remove(field);
            }
        }
        return converted;
    }

    private static ObjectNode convert(ObjectNode event, String apiVersion, boolean fromCore) {
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> member : event.properties()) {
            result.set(rename(member.getKey(), fromCore), member.getValue());
        }
        return result.put("apiVersion", apiVersion);
    }

    private static String rename(String field, boolean fromCore) {
        if (fromCore) {
            return RENAMED.getOrDefault(field, field);
        }
        for (Map.Entry<String, String> pair : RENAMED.entrySet()) {
            if (pair.getValue().equals(field)) {
                return pair.getKey();
            }
        }
        return field;
    }
}
