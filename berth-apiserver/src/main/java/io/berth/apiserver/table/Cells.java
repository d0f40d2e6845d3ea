package io.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// How values are put into words, one method for each kind of cell.
final class Cells {
    private static final String ROLE_LABEL = "node-role.kubernetes.io/";
    private static final Map<String, String> ACCESS_MODES =
            Map.of(
                    "ReadWriteOnce", "RWO",
                    "ReadOnlyMany", "ROX",
                    "ReadWriteMany", "RWX",
                    "ReadWriteOncePod", "RWOP");

    private Cells() {}

    static String orElse(JsonNode value, String missing) {
        String text = value.asText("");
        return text.isEmpty() ? missing : text;
    }

    /// `a=1,b=2`, sorted by key.
    static String labels(JsonNode labels) {
        var sorted = new TreeMap<String, String>();
        labels.properties().forEach(e -> sorted.put(e.getKey(), e.getValue().asText()));
        String text =
                sorted.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(","));
        return text.isEmpty() ? "<none>" : text;
    }

    /// `a=1,b in (x,y),!c`, sorted by key.
    static String selector(JsonNode selector, String missing) {
        var parts = new TreeMap<String, String>();
        selector.path("matchLabels")
                .properties()
                .forEach(e -> parts.put(e.getKey(), e.getKey() + "=" + e.getValue().asText()));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asText();
            String values =
                    expression
                            .path("values")
                            .valueStream()
                            .map(JsonNode::asText)
                            .sorted()
                            .collect(Collectors.joining(",", "(", ")"));
            String text =
                    switch (expression.path("operator").asText()) {
                        case "In" -> key + " in " + values;
                        case "NotIn" -> key + " notin " + values;
                        case "DoesNotExist" -> "!" + key;
                        default -> key;
                    };
            parts.merge(key, text, (a, b) -> a + "," + b);
        }
        return parts.isEmpty() ? missing : String.join(",", parts.values());
    }

    static String containers(JsonNode podSpec, String field) {
        return podSpec.path("containers")
                .valueStream()
                .map(container -> container.path(field).asText(""))
                .collect(Collectors.joining(","));
    }

    static String nodeStatus(JsonNode node) {
        var words = new ArrayList<String>();
        node.path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .reduce((first, last) -> last)
                .ifPresentOrElse(
                        ready ->
                                words.add(
                                        ready.path("status").asText().equals("True")
                                                ? "Ready"
                                                : "NotReady"),
                        () -> words.add("Unknown"));
        if (node.path("spec").path("unschedulable").asBoolean()) {
            words.add("SchedulingDisabled");
        }
        return String.join(",", words);
    }

    static String nodeRoles(JsonNode node) {
        var roles = new TreeSet<String>();
        for (var label : node.path("metadata").path("labels").properties()) {
            if (label.getKey().startsWith(ROLE_LABEL)
                    && label.getKey().length() > ROLE_LABEL.length()) {
                roles.add(label.getKey().substring(ROLE_LABEL.length()));
            } else if (label.getKey().equals("kubernetes.io/role")
                    && !label.getValue().asText().isEmpty()) {
                roles.add(label.getValue().asText());
            }
        }
        return roles.isEmpty() ? "<none>" : String.join(",", roles);
    }

    static String nodeAddress(JsonNode node, String type) {
        return node.path("status")
                .path("addresses")
                .valueStream()
                .filter(address -> address.path("type").asText().equals(type))
                .map(address -> address.path("address").asText())
                .findFirst()
                .orElse("<none>");
    }

    static String kernel(JsonNode node) {
        JsonNode info = node.path("status").path("nodeInfo");
        String architecture = info.path("architecture").asText("");
        return orElse(info.path("kernelVersion"), "<unknown>")
                + (architecture.isEmpty() ? "" : " (" + architecture + ")");
    }

    static String clusterIp(JsonNode service) {
        JsonNode all = service.path("spec").path("clusterIPs");
        return all.isEmpty()
                ? orElse(service.path("spec").path("clusterIP"), "<none>")
                : all.get(0).asText();
    }

    static String externalIp(JsonNode service) {
        JsonNode spec = service.path("spec");
        var addresses = new ArrayList<String>();
        switch (spec.path("type").asText()) {
            case "ExternalName" -> {
                return spec.path("externalName").asText("");
            }
            case "LoadBalancer" ->
                    service.path("status")
                            .path("loadBalancer")
                            .path("ingress")
                            .forEach(ingress ->
                                    addresses.add(
                                            orElse(
                                                    ingress.path("ip"),
                                                    ingress.path("hostname").asText(""))));
            default -> {
                // Only what the user names.
            }
        }
        spec.path("externalIPs").forEach(ip -> addresses.add(ip.asText()));
        if (addresses.isEmpty()) {
            return spec.path("type").asText().equals("LoadBalancer") ? "<pending>" : "<none>";
        }
        return String.join(",", addresses);
    }

    static String servicePorts(JsonNode service) {
        String ports =
                service.path("spec")
                        .path("ports")
                        .valueStream()
                        .map(port ->
                                port.path("port").asText()
                                        + (port.path("nodePort").asInt() > 0
                                                ? ":" + port.path("nodePort").asText()
                                                : "")
                                        + "/"
                                        + port.path("protocol").asText())
                        .collect(Collectors.joining(","));
        return ports.isEmpty() ? "<none>" : ports;
    }

    static String accessModes(JsonNode modes) {
        return modes.valueStream()
                .map(JsonNode::asText)
                .distinct()
                .map(mode -> ACCESS_MODES.getOrDefault(mode, mode))
                .collect(Collectors.joining(","));
    }

    static String phase(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp")
                ? "Terminating"
                : object.path("status").path("phase").asText("");
    }

    static String claimState(JsonNode claim) {
        var states = new ArrayList<String>();
        boolean deleted = claim.path("metadata").has("deletionTimestamp");
        if (deleted) {
            states.add("deleted");
        }
        if (claim.path("status").has("allocation")) {
            states.add("allocated");
            if (!claim.path("status").path("reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (!deleted) {
            states.add("pending");
        }
        return String.join(",", states);
    }

    /// Events have two shapes: of the core group, and of `events.k8s.io` with other field names.
    static JsonNode either(JsonNode event, String core, String newer) {
        return event.has(core) ? event.path(core) : event.path(newer);
    }

    static String firstSeen(JsonNode event, Instant now) {
        JsonNode first = either(event, "firstTimestamp", "deprecatedFirstTimestamp");
        return Durations.since(first.isTextual() ? first : event.path("eventTime"), now);
    }

    static String lastSeen(JsonNode event, Instant now) {
        if (event.path("series").isObject()) {
            return Durations.since(event.path("series").path("lastObservedTime"), now);
        }
        JsonNode last = either(event, "lastTimestamp", "deprecatedLastTimestamp");
        return last.isTextual() ? Durations.since(last, now) : firstSeen(event, now);
    }

    static long eventCount(JsonNode event) {
        if (event.path("series").isObject()) {
            return event.path("series").path("count").asLong();
        }
        return Math.max(1, either(event, "count", "deprecatedCount").asLong());
    }

    static String eventObject(JsonNode event) {
        JsonNode target = either(event, "involvedObject", "regarding");
        String kind = target.path("kind").asText("").toLowerCase(java.util.Locale.ROOT);
        String name = target.path("name").asText("");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    static String eventSource(JsonNode event) {
        JsonNode source = either(event, "source", "deprecatedSource");
        String component =
                orElse(
                        source.path("component"),
                        either(event, "reportingComponent", "reportingController").asText(""));
        String host = orElse(source.path("host"), event.path("reportingInstance").asText(""));
        return String.join(
                ", ", List.of(component, host).stream().filter(s -> !s.isEmpty()).toList());
    }
}
