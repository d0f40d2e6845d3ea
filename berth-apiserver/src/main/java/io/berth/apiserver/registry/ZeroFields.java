package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.util.List;

/// Fields that kube-apiserver writes even when they are not set: clients must cope with `null`
/// times and empty texts, so they are shown them here too.
final class ZeroFields {
    private static final List<String> CONDITION_TIMES =
            List.of("lastProbeTime", "lastTransitionTime");
    private static final List<String> NODE_TIMES =
            List.of("lastHeartbeatTime", "lastTransitionTime");

    private ZeroFields() {}

    static void fill(ResourceType type, ObjectNode object) {
        switch (type.builtInKind()) {
            case "Pod" -> fillConditions(object, CONDITION_TIMES);
            case "Node" -> fillConditions(object, NODE_TIMES);
            case "Event" -> fillEvent(object);
            default -> {}
        }
    }

    private static void fillConditions(ObjectNode object, List<String> times) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition instanceof ObjectNode node) {
                times.forEach(time -> nullIfAbsent(node, time));
            }
        }
    }

    private static void fillEvent(ObjectNode event) {
        for (String time : List.of("firstTimestamp", "lastTimestamp", "eventTime")) {
            nullIfAbsent(event, time);
        }
        for (String text : List.of("reportingComponent", "reportingInstance")) {
            if (!event.has(text)) {
                event.put(text, "");
            }
        }
        for (String child : List.of("involvedObject", "source")) {
            if (!event.has(child)) {
                event.putObject(child);
            }
        }
    }

    private static void nullIfAbsent(ObjectNode node, String field) {
        if (!node.has(field)) {
            node.putNull(field);
        }
    }
}
