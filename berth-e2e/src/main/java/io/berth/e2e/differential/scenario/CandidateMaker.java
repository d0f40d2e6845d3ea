package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes free volumes that a claim may choose from, and such as it may not.
final class CandidateMaker {
    private static final String STRANGER = "11111111-2222-3333-4444-555555555555";

    private final Draw draw;
    private final VolumeParts parts;
    private final DiskMaker disks;
    private final List<String> nodeNames;

    CandidateMaker(Draw draw, VolumeParts parts, DiskMaker disks, List<String> nodeNames) {
        this.draw = draw;
        this.parts = parts;
        this.disks = disks;
        this.nodeNames = nodeNames;
    }

    /// A volume of any kind.
    ObjectNode any(String namespace, String claim, String storageClass, ArrayNode modes) {
        var name = parts.name("free");
        var volume =
                parts.adorned(
                        parts.volume(
                                name,
                                disks.source(name),
                                draw.percent(90) ? storageClass : "other",
                                draw.percent(85) ? modes : parts.modes(),
                                draw.percent(20) ? reference(namespace, claim) : null));
        return withPhase(
                volume,
                draw.percent(90) ? "Available" : draw.oneOf("Pending", "Released", "Failed"));
    }

    private static ObjectNode withPhase(ObjectNode volume, String phase) {
        volume.set("status", Json.object("phase", phase));
        return volume;
    }

    private @Nullable ObjectNode reference(String namespace, String claim) {
        return switch (draw.between(0, 3)) {
            case 0 -> VolumeParts.claimRef(namespace, "another", null);
            case 1 -> VolumeParts.claimRef(namespace, claim, STRANGER);
            case 2 -> VolumeParts.claimRef(namespace, claim, VolumeMaker.UID_OF_CLAIM);
            default -> VolumeParts.claimRef(namespace, claim, null);
        };
    }

    /// Volumes that are as a claim wants them, but for one thing each.
    List<ObjectNode> nearly(String namespace, String claim, ObjectNode wanted) {
        var all = new ArrayList<ObjectNode>();
        for (int i = draw.between(1, 5); i > 0; i--) {
            var volume = fitting(wanted);
            if (draw.percent(60)) {
                spoil(volume, namespace, claim, wanted);
            }
            all.add(volume);
        }
        return all;
    }

    private ObjectNode fitting(ObjectNode wanted) {
        var name = parts.name("free");
        boolean isLocal = draw.percent(40);
        var source =
                isLocal
                        ? Json.object("local", Json.object("path", "/mnt/" + name))
                        : disks.csi(name, StorageMaker.PLAIN_DRIVER);
        var volume =
                parts.volume(
                        name,
                        source,
                        wanted.at("/storageClassName").asText(),
                        (ArrayNode) wanted.get("accessModes"),
                        null);
        if (isLocal) {
            parts.addHost(volume, draw.oneOf(nodeNames));
        }
        var spec = VolumeParts.spec(volume);
        spec.set("capacity", Json.object("storage", parts.size(draw.oneOf(9, 9, 12))));
        for (var field : List.of("volumeMode", "volumeAttributesClassName")) {
            if (wanted.has(field) && (!isLocal || field.equals("volumeMode"))) {
                spec.set(field, wanted.get(field));
            }
        }
        var selected = wanted.at("/selector/matchLabels/disk").asText();
        if (!selected.isEmpty()) {
            VolumeParts.labels(volume).put("disk", selected);
        }
        return withPhase(volume, "Available");
    }

    private void spoil(ObjectNode volume, String namespace, String claim, ObjectNode wanted) {
        var spec = VolumeParts.spec(volume);
        switch (draw.between(0, 11)) {
            case 0, 1, 2 ->
                    spec.set(
                            "accessModes", parts.otherModes((ArrayNode) wanted.get("accessModes")));
            case 3, 4 ->
                    spec.set(
                            "capacity", Json.object("storage", parts.size(draw.oneOf(0, 1, 2, 5))));
            case 5 -> spec.put("volumeMode", wanted.has("volumeMode") ? "Filesystem" : "Block");
            case 6 -> {
                if (spec.has("csi")) {
                    spec.put("volumeAttributesClassName", draw.oneOf("gold", "silver"));
                }
            }
            case 7 -> VolumeParts.labels(volume).put("disk", draw.oneOf(Vocabulary.DISKS));
            case 8 -> withPhase(volume, draw.oneOf("Pending", "Released", "Failed"));
            case 9 -> spec.set("claimRef", reference(namespace, claim));
            case 10 -> VolumeParts.leave(volume);
            default -> spec.put("storageClassName", "other");
        }
    }
}
