package io.berth.apiserver.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
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
        ObjectNode core = convert(event, "v1", false);
        // These have no "omitempty" in core/v1 and are always shown.
        if (!core.has("involvedObject")) {
            core.putObject("involvedObject");
        }
        return core;
    }

    /// The events.k8s.io/v1 form of a core/v1 event.
    public static ObjectNode toEventsGroup(ObjectNode event) {
        return convert(event, "events.k8s.io/v1", true);
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
