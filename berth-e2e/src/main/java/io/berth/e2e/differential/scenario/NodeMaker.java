package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Makes nodes: labels, taints, what they have to give, images, declared features.
final class NodeMaker {
    private final Draw draw;
    private final Theme theme;

    NodeMaker(Draw draw, Theme theme) {
        this.draw = draw;
        this.theme = theme;
    }

    ObjectNode node(String name) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Json.object("name", name, "labels", labels(name)),
                "spec",
                Json.object(
                        "unschedulable",
                        draw.percent(6) ? Boolean.TRUE : null,
                        "taints",
                        Json.arrayOrNull(taints())),
                "status",
                status());
    }

    private ObjectNode labels(String name) {
        var labels = Json.object(Vocabulary.HOSTNAME, name);
        if (draw.percent(90)) {
            labels.put(Vocabulary.ZONE, draw.oneOf(Vocabulary.ZONES));
        }
        if (draw.percent(50)) {
            labels.put(Vocabulary.REGION, draw.oneOf("r1", "r2"));
        }
        if (draw.percent(60)) {
            labels.put("disk", draw.oneOf(Vocabulary.DISKS));
        }
        if (draw.percent(50)) {
            labels.put("generation", draw.oneOf("1", "5", "9", "0", "old"));
        }
        if (draw.percent(40)) {
            labels.put("rack", draw.oneOf("1", "2", "3", "4"));
        }
        if (theme.volumes() > 0 && labels.has(Vocabulary.ZONE)) {
            addDriversLabels(labels);
        }
        return labels;
    }

    /// Zones in the words of old, and in those of drivers.
    private void addDriversLabels(ObjectNode labels) {
        var zone = labels.get(Vocabulary.ZONE).asText();
        for (var key : Vocabulary.DRIVERS_ZONES) {
            if (draw.percent(60)) {
                labels.put(key, draw.percent(95) ? zone : draw.oneOf(Vocabulary.ZONES));
            }
        }
        if (draw.percent(5)) {
            labels.remove(Vocabulary.ZONE);
        }
    }

    private List<ObjectNode> taints() {
        var taints = new ArrayList<ObjectNode>();
        if (draw.percent(theme.taints() / 2 + 5)) {
            for (var key : draw.some(Vocabulary.TAINT_KEYS, 1, 3)) {
                var value = draw.oneOf(Vocabulary.TAINT_VALUES);
                taints.add(
                        Json.object(
                                "key",
                                key,
                                "value",
                                value.isEmpty() ? null : value,
                                "effect",
                                draw.oneOf(Vocabulary.EFFECTS)));
            }
        }
        return taints;
    }

    private ObjectNode status() {
        var allocatable =
                Json.object(
                        "cpu",
                        theme.isTight()
                                ? draw.oneOf("1", "1500m", "2")
                                : draw.oneOf("1", "2", "3500m", "4", "8"),
                        "memory",
                        theme.isTight()
                                ? draw.oneOf("1Gi", "1500M", "2Gi")
                                : draw.oneOf("1Gi", "2Gi", "4Gi", "7777777Ki", "8Gi"),
                        "pods",
                        draw.percent(10) ? draw.oneOf("0", "1", "3") : "110");
        if (draw.percent(60)) {
            allocatable.put("ephemeral-storage", draw.oneOf("5Gi", "20Gi", "100G"));
        }
        if (draw.percent(30)) {
            allocatable.put("example.com/gpu", draw.oneOf("0", "1", "4"));
        }
        if (draw.percent(20)) {
            allocatable.put("example.com/fpga", draw.oneOf("1", "2"));
        }
        if (draw.percent(20)) {
            allocatable.put("hugepages-2Mi", draw.oneOf("0", "64Mi", "512Mi"));
        }
        return Json.object(
                "allocatable",
                allocatable,
                "capacity",
                allocatable.deepCopy(),
                "conditions",
                Json.array(Json.object("type", "Ready", "status", "True")),
                "images",
                Json.arrayOrNull(images()),
                "declaredFeatures",
                draw.percent(40)
                        ? Json.array(
                                draw
                                        .some(
                                                List.of(
                                                        "RestartAllContainersOnContainerExits",
                                                        "UserNamespacesHostNetworkSupport"),
                                                1,
                                                2)
                                        .stream()
                                        .sorted()
                                        .toList())
                        : null);
    }

    private List<ObjectNode> images() {
        var images = new ArrayList<ObjectNode>();
        if (draw.percent(theme.images() + 10)) {
            for (var image : draw.some(Vocabulary.IMAGES, 1, 4)) {
                boolean isTagged = image.contains("@") || image.matches(".*:[^/]+");
                images.add(
                        Json.object(
                                "names",
                                Json.array(isTagged ? image : image + ":latest"),
                                "sizeBytes",
                                draw.oneOf(5_000_000L, 90_000_000L, 400_000_000L, 2_500_000_000L)));
            }
        }
        return images;
    }
}
