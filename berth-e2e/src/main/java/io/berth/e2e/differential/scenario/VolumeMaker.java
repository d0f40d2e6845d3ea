package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes volumes, claims, and what a pod says of them.
///
/// No two volumes that a claim may choose from have the same size, and no two claims ask for the
/// same: between equals kube-scheduler leaves it to chance.
public final class VolumeMaker {
    static final int BASE_CLAIMS = 3;
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /// Stands for the uid that the API server has given to the claim of that name.
    public static final String UID_OF_CLAIM = "uid-of-claim";

    /// An annotation of pods: what becomes of the claims of their ephemeral volumes.
    public static final String EPHEMERAL = "differential/ephemeral";

    private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

    private final Draw draw;
    private final List<String> nodeNames;
    private final String prefix;
    private final List<ObjectNode> made = new ArrayList<>();
    private int count;

    /// @param prefix of all names, so that those of one case are not those of another
    VolumeMaker(Draw draw, List<String> nodeNames, String prefix) {
        this.draw = draw;
        this.nodeNames = nodeNames;
        this.prefix = prefix;
    }

    /// Everything but pods.
    List<ObjectNode> made() {
        return List.copyOf(made);
    }

    // --- what is there before

    /// Claims that pods on nodes share.
    void addBase() {
        for (var namespace : Vocabulary.NAMESPACES) {
            for (int i = 1; i <= BASE_CLAIMS; i++) {
                if (draw.percent(85)) {
                    boundPair(namespace, "data-" + i, "base-" + namespace + "-" + i);
                }
            }
        }
    }

    /// What a pod on a node has.
    void addTo(ObjectNode boundPod) {
        var volumes = Json.array();
        for (int i = draw.between(1, 2); i > 0; i--) {
            var volume = draw.percent(65) ? baseClaim() : inline();
            volume.put("name", "v" + i);
            volumes.add(volume);
        }
        ((ObjectNode) boundPod.get("spec")).set("volumes", volumes);
    }

    private ObjectNode baseClaim() {
        return claimVolume("data-" + draw.between(1, BASE_CLAIMS));
    }

    // --- the pod to be placed

    /// Gives the pod volumes, and makes what they need.
    void addToPending(ObjectNode pod) {
        var namespace = pod.at("/metadata/namespace").asText();
        var volumes = Json.array();
        int chosen = draw.oneOf(1, 1, 1, 2, 2, 3);
        for (int i = 1; i <= chosen; i++) {
            var volume = pendingVolume(pod, namespace);
            volume.put("name", "v" + i);
            volumes.add(volume);
        }
        ((ObjectNode) pod.get("spec")).set("volumes", volumes);
    }

    private ObjectNode pendingVolume(ObjectNode pod, String namespace) {
        int kind = draw.between(1, 100);
        if (kind <= 23) {
            var claim = name("claim");
            boundPair(namespace, claim, name("bound"));
            return claimVolume(claim);
        }
        if (kind <= 45) {
            return baseClaim();
        }
        if (kind <= 74) {
            return claimVolume(delayed(namespace));
        }
        if (kind <= 82) {
            return claimVolume(troubled(namespace));
        }
        if (kind <= 88) {
            ((ObjectNode) pod.get("metadata"))
                    .set("annotations", Json.object(EPHEMERAL, draw.oneOf("made", "foreign")));
            return ephemeral();
        }
        if (kind <= 97) {
            return inline();
        }
        return Json.object("emptyDir", Json.object());
    }

    private ObjectNode claimVolume(String claim) {
        return Json.object(
                "persistentVolumeClaim",
                Json.object("claimName", claim, "readOnly", draw.percent(10) ? true : null));
    }

    private ObjectNode ephemeral() {
        boolean isLate = draw.percent(20);
        return Json.object(
                "ephemeral",
                Json.object(
                        "volumeClaimTemplate",
                        Json.object(
                                "metadata",
                                Json.object("labels", isLate ? Json.object("late", "true") : null),
                                "spec",
                                claimSpec(draw.oneOf(StorageMaker.DELAYED), modes()))));
    }

    // --- pairs

    /// A claim and its volume. Rarely one of them is not quite in order.
    private void boundPair(String namespace, String claim, String volume) {
        var modes = modes();
        var spec = claimSpec(draw.oneOf("wait", "ebs", StorageMaker.IMMEDIATE, "missing"), modes);
        spec.put("volumeName", volume);
        made.add(
                claim(
                        namespace,
                        claim,
                        spec,
                        Json.object(BIND_COMPLETED, draw.percent(97) ? "yes" : null),
                        "Bound"));
        if (draw.percent(96)) {
            var pv =
                    volume(
                            volume,
                            spec.at("/storageClassName").asText(),
                            modes,
                            claimRef(namespace, claim, UID_OF_CLAIM));
            pv.set("status", Json.object("phase", "Bound"));
            made.add(pv);
        }
    }

    /// A claim that waits for its pod, and volumes that it may or may not have.
    private String delayed(String namespace) {
        var name = name("claim");
        var modes = modes();
        var storageClass = draw.oneOf(StorageMaker.DELAYED);
        var spec = claimSpec(storageClass, modes);
        if (draw.percent(15)) {
            spec.set("selector", labelSelector());
        }
        var annotations =
                Json.object(SELECTED_NODE, draw.percent(8) ? draw.oneOf(nodeNames) : null);
        if (draw.percent(8)) {
            annotations.put(CLASS_ANNOTATION, storageClass);
            spec.put("storageClassName", draw.oneOf(StorageMaker.DELAYED));
        }
        made.add(claim(namespace, name, spec, annotations, "Pending"));
        for (int i = draw.between(storageClass.equals("local") ? 1 : 0, 4); i > 0; i--) {
            made.add(candidate(namespace, name, storageClass, modes));
        }
        return name;
    }

    private ObjectNode candidate(
            String namespace, String claim, String storageClass, ArrayNode modes) {
        ObjectNode reference = null;
        if (draw.percent(20)) {
            reference =
                    switch (draw.between(0, 3)) {
                        case 0 -> claimRef(namespace, "another", null);
                        case 1 ->
                                claimRef(namespace, claim, "11111111-2222-3333-4444-555555555555");
                        case 2 -> claimRef(namespace, claim, UID_OF_CLAIM);
                        default -> claimRef(namespace, claim, null);
                    };
        }
        var volume =
                volume(
                        name("free"),
                        draw.percent(90) ? storageClass : "other",
                        draw.percent(85) ? modes : modes(),
                        reference);
        volume.set(
                "status",
                Json.object(
                        "phase",
                        draw.percent(90)
                                ? "Available"
                                : draw.oneOf("Pending", "Released", "Failed")));
        return volume;
    }

    /// A claim with which something is wrong; it may be missing altogether.
    private String troubled(String namespace) {
        var name = name("claim");
        var spec = claimSpec(draw.oneOf("wait", "local"), modes());
        var annotations = Json.object();
        var phase = "Pending";
        boolean isLeaving = false;
        switch (draw.between(0, 6)) {
            case 0 -> {
                return name;
            }
            case 1 -> {
                spec.put("volumeName", "gone");
                annotations.put(BIND_COMPLETED, "yes");
                phase = "Lost";
            }
            case 2 -> isLeaving = true;
            case 3 -> spec.put("storageClassName", StorageMaker.IMMEDIATE);
            case 4 -> spec.put("storageClassName", draw.oneOf("", "missing"));
            case 5 -> spec.put("volumeName", "gone");
            default -> {
                spec.put("volumeName", "gone");
                annotations.put(BIND_COMPLETED, "yes");
                phase = "Bound";
            }
        }
        var claim = claim(namespace, name, spec, annotations, phase);
        if (isLeaving) {
            ((ObjectNode) claim.at("/metadata/annotations")).put(Vocabulary.LEAVING, "true");
        }
        made.add(claim);
        return name;
    }

    // --- parts

    private String name(String what) {
        return prefix + "-" + what + "-" + ++count;
    }

    private ObjectNode claimSpec(String storageClass, ArrayNode modes) {
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

    /// Of about so many gibibytes, and unlike all others of the case.
    private String size(int gibibytes) {
        return (gibibytes * 1024 + ++count) + "Mi";
    }

    private static ObjectNode claim(
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

    private static ObjectNode claimRef(String namespace, String claim, @Nullable String uid) {
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

    private ObjectNode volume(
            String name, String storageClass, ArrayNode modes, @Nullable ObjectNode reference) {
        var labels = Json.object();
        if (draw.percent(30)) {
            labels.put(
                    draw.oneOf(
                            Vocabulary.ZONE,
                            "failure-domain.beta.kubernetes.io/zone",
                            "failure-domain.beta.kubernetes.io/region",
                            Vocabulary.REGION),
                    draw.oneOf(
                            "za",
                            "zb",
                            "za__zb",
                            "za__zb__zc",
                            "r1",
                            "r1__r2",
                            "za____zb",
                            "x-y-a__x-y-b",
                            "x-y-a__u-v-a"));
        }
        if (draw.percent(40)) {
            labels.put("disk", draw.oneOf(Vocabulary.DISKS));
        }
        var spec = source(name);
        spec.set("capacity", Json.object("storage", size(draw.oneOf(1, 3, 6, 12))));
        spec.set("accessModes", modes.deepCopy());
        spec.put("storageClassName", storageClass);
        spec.put("persistentVolumeReclaimPolicy", "Retain");
        if (draw.percent(5)) {
            spec.put("volumeMode", "Block");
        }
        if (spec.has("csi") && draw.percent(12)) {
            spec.put("volumeAttributesClassName", draw.oneOf("gold", "silver"));
        }
        if (spec.has("local") || draw.percent(45)) {
            spec.set("nodeAffinity", Json.object("required", affinity()));
        }
        if (reference != null) {
            spec.set("claimRef", reference);
        }
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolume",
                "metadata",
                Json.object(
                        "name",
                        name,
                        "labels",
                        labels,
                        "annotations",
                        draw.percent(4) ? Json.object(Vocabulary.LEAVING, "true") : null),
                "spec",
                spec);
    }

    private ObjectNode source(String name) {
        return switch (draw.between(0, 9)) {
            case 0 -> Json.object("local", Json.object("path", "/mnt/" + name));
            case 1 -> Json.object("nfs", Json.object("server", "nfs.example.com", "path", "/"));
            case 2, 3 -> disk(name);
            default ->
                    Json.object(
                            "csi",
                            Json.object(
                                    "driver",
                                    draw.oneOf(StorageMaker.DRIVERS),
                                    "volumeHandle",
                                    draw.percent(85) ? name : draw.oneOf("vol-1", "vol-2")));
        };
    }

    /// A disk of a cloud, by the plugin of old; in a pod and as a volume it is written alike.
    private ObjectNode disk(String name) {
        return switch (draw.between(0, 3)) {
            case 0 -> Json.object("awsElasticBlockStore", Json.object("volumeID", name));
            case 1 -> Json.object("gcePersistentDisk", Json.object("pdName", name));
            case 2 ->
                    Json.object(
                            "azureDisk",
                            Json.object(
                                    "diskName",
                                    name,
                                    "diskURI",
                                    "/subscriptions/s/resourceGroups/r/providers/"
                                            + "Microsoft.Compute/disks/"
                                            + name,
                                    "kind",
                                    "Managed"));
            default -> Json.object("cinder", Json.object("volumeID", name));
        };
    }

    private ObjectNode inline() {
        boolean isReadOnly = draw.percent(40);
        var name = draw.oneOf("vol-1", "vol-2", "vol-3");
        return switch (draw.between(0, 4)) {
            case 0 ->
                    Json.object(
                            "rbd",
                            Json.object(
                                    "monitors",
                                    Json.array(draw.some(List.of("m1", "m2", "m3"), 1, 2)),
                                    "pool",
                                    draw.oneOf("rbd", "rbd", "fast"),
                                    "image",
                                    draw.oneOf("img-1", "img-2"),
                                    "readOnly",
                                    isReadOnly));
            case 1 ->
                    Json.object(
                            "iscsi",
                            Json.object(
                                    "targetPortal",
                                    "10.0.0.1:3260",
                                    "iqn",
                                    "iqn.2001-04.com.example:" + draw.oneOf("a", "b"),
                                    "lun",
                                    draw.between(0, 1),
                                    "readOnly",
                                    isReadOnly));
            default -> {
                var volume = disk(name);
                if (isReadOnly) {
                    ((ObjectNode) volume.elements().next()).put("readOnly", true);
                }
                yield volume;
            }
        };
    }

    private ArrayNode modes() {
        return draw.percent(prefix.equals("base") ? 40 : 12)
                ? Json.array("ReadWriteOncePod")
                : Json.array(
                        draw.percent(60)
                                ? List.of("ReadWriteOnce")
                                : draw.some(
                                        List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"),
                                        1,
                                        3));
    }

    private ObjectNode labelSelector() {
        return draw.percent(50)
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
                                    "failure-domain.beta.kubernetes.io/zone",
                                    "topology.ebs.csi.aws.com/zone"),
                            "operator",
                            draw.percent(85) ? "In" : "NotIn",
                            "values",
                            Json.array(draw.some(Vocabulary.ZONES, 1, 2)));
        };
    }
}
