package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The quality-of-service class of a pod, from the cpu and memory that its containers ask for.
final class QosClass {
    private static final List<String> COUNTED = List.of("cpu", "memory");

    private QosClass() {}

    static String of(JsonNode podSpec) {
        var resources = new ArrayList<JsonNode>();
        if (podSpec.path("resources").size() > 0) {
            resources.add(podSpec.path("resources"));
        } else {
            podSpec.path("containers").forEach(c -> resources.add(c.path("resources")));
            podSpec.path("initContainers").forEach(c -> resources.add(c.path("resources")));
        }
        var requests = new HashMap<String, Quantity>();
        var limits = new HashMap<String, Quantity>();
        boolean guaranteed = true;
        for (JsonNode each : resources) {
            add(each.path("requests"), requests);
            int limited = add(each.path("limits"), limits);
            guaranteed &= limited == COUNTED.size();
        }
        if (requests.isEmpty() && limits.isEmpty()) {
            return "BestEffort";
        }
        return guaranteed && same(requests, limits) ? "Guaranteed" : "Burstable";
    }

    /// Adds the positive cpu and memory values; says how many of the two there were.
    private static int add(JsonNode from, Map<String, Quantity> sums) {
        int found = 0;
        for (String name : COUNTED) {
            var quantity = Quantity.parse(from.path(name).asText(""));
            if (quantity.isPresent() && quantity.get().value().signum() > 0) {
                sums.merge(name, quantity.get(), Quantity::plus);
                found++;
            }
        }
        return found;
    }

    private static boolean same(Map<String, Quantity> requests, Map<String, Quantity> limits) {
        return requests.keySet().equals(limits.keySet())
                && requests.entrySet().stream()
                        .allMatch(e -> e.getValue().equalsValue(limits.get(e.getKey())));
    }
}
