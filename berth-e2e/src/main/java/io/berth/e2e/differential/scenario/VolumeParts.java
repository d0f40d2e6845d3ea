package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of claims and volumes.
///
/// No two sizes are alike: between volumes of one size kube-scheduler leaves it to chance.
final class VolumeParts {
    private static final List<String> MODES =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany");
    private static final List<String> ZONE_LABELS =
            List.of(
                    Vocabulary.ZONE,
                    "failure-domain.beta.kubernetes.io/zone",
                    "failure-domain.beta.kubernetes.io/region",
                    Vocabulary.REGION);

    private final Draw draw;
    private final List<String> nodeNames;
    private final String prefix;
    private int count;

    VolumeParts(Draw draw, List<String> nodeNames, String prefix) {
        this.draw = draw;
        this.nodeNames = nodeNames;
        this.prefix = prefix;
    }

    String name(String what) {
        return prefix + "-" + what + "-" + ++count;
    }

    /// Of about so many gibibytes, and unlike all others of the case.
    String size(int gibibytes) {
        return (gibibytes * 1024 + ++count) + "Mi";
    }

    // --- claims

    ObjectNode claimSpec(String storageClass, ArrayNode modes) {
        return Json.object(
                "accessModes",
                modes.deepCopy(),
                "storageClassName",
                storageClass,
                "volumeMode",
                draw.percent(6) ? "Block" : null,
                "volumeAttributesClassName",
                draw.percent(6) ? "gold" : null,
                "resources",
                Json.object("requests", Json.object("storage", size(draw.oneOf(1, 2, 5, 9)))));
    }

    ObjectNode claim(
            String namespace, String name, ObjectNode spec, ObjectNode annotations, String phase) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Json.object("namespace", namespace, "name", name, "annotations", annotations),
                "spec",
                spec,
                "status",
                Json.object("phase", phase));
    }

    static ObjectNode claimRef(String namespace, String claim, @Nullable String uid) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "namespace",
                namespace,
                "name",
                claim,
                "uid",
                uid);
    }

    /// Of a claim or a volume.
    ArrayNode modes() {
        return draw.percent(12) ? Json.array("ReadWriteOncePod") : sharedModes();
    }

    private ArrayNode sharedModes() {
        return Json.array(draw.percent(50) ? List.of("ReadWriteOnce") : draw.some(MODES, 1, 3));
    }

    /// Modes of which at least one that is wanted is not among them.
    ArrayNode otherModes(ArrayNode wanted) {
        var rest = new ArrayList<>(MODES);
        rest.remove(wanted.get(draw.between(0, wanted.size() - 1)).asText());
        return Json.array(draw.some(rest, 1, rest.size()));
    }

    ObjectNode labelSelector() {
        return draw.percent(60)
                ? Json.object("matchLabels", Json.object("disk", draw.oneOf(Vocabulary.DISKS)))
                : Json.object(
                        "matchExpressions",
                        Json.array(
                                Json.object(
                                        "key",
                                        "disk",
                                        "operator",
                                        draw.oneOf("Exists", "DoesNotExist"))));
    }

    // --- volumes

    /// @param spec with its source, to which the rest is added
    ObjectNode volume(
            String name,
            ObjectNode spec,
            String storageClass,
            ArrayNode modes,
            @Nullable ObjectNode reference) {
        spec.set("capacity", Json.object("storage", size(draw.oneOf(1, 3, 6, 12))));
        spec.set("accessModes", modes.deepCopy());
        spec.put("storageClassName", storageClass);
        spec.put("persistentVolumeReclaimPolicy", "Retain");
        if (reference != null) {
            spec.set("claimRef", reference);
        }
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolume",
                "metadata",
                Json.object("name", name, "labels", Json.object(), "annotations", Json.object()),
                "spec",
                spec);
    }

    /// What an ordinary volume may have besides.
    ObjectNode adorned(ObjectNode volume) {
        var spec = spec(volume);
        if (draw.percent(30)) {
            addZone(volume);
        }
        if (draw.percent(40)) {
            labels(volume).put("disk", draw.oneOf(Vocabulary.DISKS));
        }
        if (draw.percent(5)) {
            spec.put("volumeMode", "Block");
        }
        if (spec.has("csi") && draw.percent(12)) {
            spec.put("volumeAttributesClassName", draw.oneOf("gold", "silver"));
        }
        if (spec.has("local") || draw.percent(45)) {
            addAffinity(volume);
        }
        if (draw.percent(4)) {
            leave(volume);
        }
        return volume;
    }

    /// A zone or a region, several of them, or what cannot be read as such.
    void addZone(ObjectNode volume) {
        var key = draw.oneOf(ZONE_LABELS);
        labels(volume)
                .put(
                        key,
                        key.endsWith("region")
                                ? draw.oneOf("r1", "r2", "r1__r2", "r1____r1", "")
                                : draw.oneOf(
                                        "za",
                                        "zb",
                                        "za__zb",
                                        "za__zb__zc",
                                        "za____za",
                                        "zb____zc",
                                        "za____zb",
                                        "",
                                        "za___zb",
                                        "x-y-a__x-y-b",
                                        "x-y-a__u-v-a"));
    }

    void addAffinity(ObjectNode volume) {
        spec(volume).set("nodeAffinity", Json.object("required", affinity()));
    }

    /// A volume of one node.
    void addHost(ObjectNode volume, String node) {
        var requirement =
                Json.object(
                        "key", Vocabulary.HOSTNAME, "operator", "In", "values", Json.array(node));
        var terms = Json.array(Json.object("matchExpressions", Json.array(requirement)));
        spec(volume)
                .set(
                        "nodeAffinity",
                        Json.object("required", Json.object("nodeSelectorTerms", terms)));
    }

    static void leave(ObjectNode object) {
        ((ObjectNode) object.at("/metadata/annotations")).put(Vocabulary.LEAVING, "true");
    }

    static ObjectNode spec(ObjectNode object) {
        return (ObjectNode) object.get("spec");
    }

    static ObjectNode labels(ObjectNode object) {
        return (ObjectNode) object.at("/metadata/labels");
    }

    private ObjectNode affinity() {
        var terms = Json.array();
        for (int i = draw.percent(25) ? 2 : 1; i > 0; i--) {
            var expressions = Json.array(requirement());
            if (draw.percent(15)) {
                expressions.add(requirement());
            }
            terms.add(Json.object("matchExpressions", expressions));
        }
        return Json.object("nodeSelectorTerms", terms);
    }

    private ObjectNode requirement() {
        return switch (draw.between(0, 6)) {
            case 0, 1 ->
                    Json.object(
                            "key",
                            Vocabulary.HOSTNAME,
                            "operator",
                            "In",
                            "values",
                            Json.array(draw.some(nodeNames, 1, 3)));
            case 2 -> Json.object("key", "disk", "operator", draw.oneOf("Exists", "DoesNotExist"));
            case 3 ->
                    Json.object(
                            "key",
                            "generation",
                            "operator",
                            draw.oneOf("Gt", "Lt"),
                            "values",
                            Json.array("5"));
            default ->
                    Json.object(
                            "key",
                            draw.oneOf(
                                    Vocabulary.ZONE,
                                    Vocabulary.ZONE,
                                    Vocabulary.ZONE,
                                    Vocabulary.REGION,
                                    "failure-domain.beta.kubernetes.io/zone",
                                    "failure-domain.beta.kubernetes.io/zone",
                                    "failure-domain.beta.kubernetes.io/region",
                                    "topology.ebs.csi.aws.com/zone"),
                            "operator",
                            draw.percent(85) ? "In" : "NotIn",
                            "values",
                            Json.array(
                                    draw.percent(90)
                                            ? draw.some(Vocabulary.ZONES, 1, 2)
                                            : List.of("r1")));
        };
    }
}
