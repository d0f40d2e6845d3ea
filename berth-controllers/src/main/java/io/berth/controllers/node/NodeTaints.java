package io.berth.controllers.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Which taints a node has for what it says of itself.
final class NodeTaints {
    static final String NOT_READY = "node.kubernetes.io/not-ready";
    static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    private static final Map<String, String> PRESSURES =
            Map.of(
                    "MemoryPressure", "node.kubernetes.io/memory-pressure",
                    "DiskPressure", "node.kubernetes.io/disk-pressure",
                    "PIDPressure", "node.kubernetes.io/pid-pressure",
                    "NetworkUnavailable", "node.kubernetes.io/network-unavailable");
    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    private static final Set<String> OURS =
            Set.of(
                    NOT_READY,
                    UNREACHABLE,
                    UNSCHEDULABLE,
                    "node.kubernetes.io/memory-pressure",
                    "node.kubernetes.io/disk-pressure",
                    "node.kubernetes.io/pid-pressure",
                    "node.kubernetes.io/network-unavailable");

    private NodeTaints() {}

    /// The taints that a node should have, those of others as they are.
    ///
    /// A node that says nothing about being ready is left alone: it was made by hand.
    static ArrayNode wanted(KubeObject node, Instant now) {
        var ours = new LinkedHashMap<String, ObjectNode>();
        String ready =
                Conditions.find(node.status(), "Ready")
                        .map(each -> each.path("status").asText())
                        .orElse("True");
        switch (ready) {
            case "False" -> trouble(ours, NOT_READY, now);
            case "Unknown" -> trouble(ours, UNREACHABLE, now);
            default -> {
                // All is well.
            }
        }
        PRESSURES.forEach((condition, key) -> {
            if (Conditions.isTrue(node.status(), condition)) {
                add(ours, key, "NoSchedule");
            }
        });
        if (node.spec().path("unschedulable").asBoolean()) {
            add(ours, UNSCHEDULABLE, "NoSchedule").put("timeAdded", Trees.time(now));
        }
        return merged(node, ours);
    }

    private static void trouble(Map<String, ObjectNode> ours, String key, Instant now) {
        ObjectNode _ = add(ours, key, "NoSchedule");
        add(ours, key, "NoExecute").put("timeAdded", Trees.time(now));
    }

    private static ObjectNode add(Map<String, ObjectNode> ours, String key, String effect) {
        ObjectNode taint = Trees.object().put("key", key).put("effect", effect);
        ours.put(key + ":" + effect, taint);
        return taint;
    }

    /// Taints that stay keep their time.
    private static ArrayNode merged(KubeObject node, Map<String, ObjectNode> ours) {
        var missing = new HashMap<>(ours);
        ArrayNode taints = Trees.object().arrayNode();
        for (JsonNode each : node.spec().path("taints")) {
            String key = each.path("key").asText();
            boolean managed = OURS.contains(key);
            boolean wanted = missing.remove(key + ":" + each.path("effect").asText()) != null;
            if (!managed || wanted) {
                taints.add(each.deepCopy());
            }
        }
        ours.values().stream().filter(missing::containsValue).forEach(taints::add);
        return taints;
    }
}
