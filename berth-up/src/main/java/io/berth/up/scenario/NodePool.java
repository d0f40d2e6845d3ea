package io.berth.up.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.up.device.MadeUpDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Nodes that are made alike.
///
/// @param zones which they are spread over in turn; none where empty
/// @param template labels, taints and capacity on top of the usual ones
/// @param devices what each of them has; none where empty
public record NodePool(
        String name,
        int count,
        List<String> zones,
        ObjectNode template,
        Optional<MadeUpDevices.Sort> devices) {
    private static final int MOST = 20_000;
    private static final Set<String> FIELDS =
            Set.of("name", "count", "zones", "devices", "template");

    public NodePool {
        zones = List.copyOf(zones);
    }

    static NodePool of(JsonNode tree, String place) {
        Fields.check(tree, FIELDS, place);
        int count = tree.has("count") ? tree.get("count").asInt() : 1;
        if (count < 1 || count > MOST) {
            throw new FileProblem(
                    "%s.count must be from 1 to %d, not %s"
                            .formatted(place, MOST, tree.get("count")));
        }
        var zones = new ArrayList<String>();
        Fields.list(tree, "zones", place).forEach(each -> zones.add(each.asText()));
        return new NodePool(
                tree.path("name").asText("node"),
                count,
                zones,
                template(tree.path("template"), place + ".template"),
                devices(tree.path("devices"), place + ".devices"));
    }

    private static ObjectNode template(JsonNode tree, String place) {
        return switch (tree) {
            case ObjectNode given -> given;
            case MissingNode _ -> JsonNodeFactory.instance.objectNode();
            default -> throw new FileProblem(place + " must be a part of a node");
        };
    }

    private static Optional<MadeUpDevices.Sort> devices(JsonNode tree, String place) {
        if (tree.isMissingNode()) {
            return Optional.empty();
        }
        Optional<MadeUpDevices.Sort> sort = MadeUpDevices.Sort.named(tree.asText());
        if (sort.isEmpty()) {
            throw new FileProblem(
                    "%s must be one of %s, not %s"
                            .formatted(place, MadeUpDevices.Sort.words(), tree));
        }
        return sort;
    }

    /// What a driver tells of the devices of all these nodes.
    List<ObjectNode> slices() {
        var slices = new ArrayList<ObjectNode>();
        devices.ifPresent(sort -> {
            for (int i = 1; i <= count; i++) {
                slices.addAll(MadeUpDevices.slices(name + "-" + i, sort));
            }
        });
        return slices;
    }

    List<ObjectNode> nodes() {
        var nodes = new ArrayList<ObjectNode>(count);
        for (int i = 1; i <= count; i++) {
            nodes.add(node(i));
        }
        return nodes;
    }

    private ObjectNode node(int number) {
        ObjectNode node = template.deepCopy();
        node.put("apiVersion", "v1").put("kind", "Node");
        String nodeName = name + "-" + number;
        ObjectNode metadata = node.withObject("/metadata");
        metadata.put("name", nodeName);
        ObjectNode labels = metadata.withObject("/labels");
        labels.put("kubernetes.io/hostname", nodeName)
                .put("kubernetes.io/os", "linux")
                .put("kubernetes.io/arch", "amd64");
        if (!zones.isEmpty()) {
            labels.put("topology.kubernetes.io/zone", zones.get((number - 1) % zones.size()));
        }
        metadata.withObject("/annotations").put("berth.io/simulated", "true");
        ObjectNode status = node.withObject("/status");
        ObjectNode capacity = status.withObject("/capacity");
        usual(capacity, "cpu", "4");
        usual(capacity, "memory", "16Gi");
        usual(capacity, "ephemeral-storage", "100Gi");
        usual(capacity, "pods", "110");
        status.set("allocatable", capacity.deepCopy());
        if (!status.has("conditions")) {
            status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
        }
        return node;
    }

    private static void usual(ObjectNode capacity, String resource, String amount) {
        if (!capacity.has(resource)) {
            capacity.put(resource, amount);
        }
    }
}
