package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Makes volumes, claims, and what a pod says of them.
///
/// Most pods are about one matter, of which everything turns up in every shade, while the rest
/// stays plain: else a pod is refused for a second reason, and nobody sees the first.
public final class VolumeMaker {
    static final int BASE_CLAIMS = 3;

    /// A claim of each namespace that is for a single pod.
    static final String SOLO = "solo";

    /// A claim of each namespace that many pods use, of a driver with limits.
    static final String COMMON = "common";

    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /// Stands for the uid that the API server has given to the claim of that name.
    public static final String UID_OF_CLAIM = "uid-of-claim";

    /// An annotation of pods: what becomes of the claims of their ephemeral volumes.
    public static final String EPHEMERAL = "differential/ephemeral";

    private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

    /// What a pod's volumes are about.
    private enum Matter {
        MIXED,
        MATCHING,
        ROOM,
        ZONES,
        LIMITS,
        ATTACHED,
        MOUNTED,
        EXCLUSIVE,
        DISKS,
        OF_OLD,
        TROUBLE,
        EPHEMERAL
    }

    private static final List<Matter> MATTERS =
            List.of(
                    Matter.MIXED,
                    Matter.MIXED,
                    Matter.MIXED,
                    Matter.MATCHING,
                    Matter.MATCHING,
                    Matter.MATCHING,
                    Matter.ROOM,
                    Matter.ROOM,
                    Matter.ROOM,
                    Matter.ZONES,
                    Matter.ZONES,
                    Matter.ZONES,
                    Matter.ATTACHED,
                    Matter.ATTACHED,
                    Matter.MOUNTED,
                    Matter.MOUNTED,
                    Matter.LIMITS,
                    Matter.LIMITS,
                    Matter.EXCLUSIVE,
                    Matter.EXCLUSIVE,
                    Matter.EXCLUSIVE,
                    Matter.DISKS,
                    Matter.DISKS,
                    Matter.OF_OLD,
                    Matter.OF_OLD,
                    Matter.TROUBLE,
                    Matter.EPHEMERAL);

    private final Draw draw;
    private final List<String> nodeNames;
    private final VolumeParts parts;
    private final DiskMaker disks;
    private final CandidateMaker candidates;
    private final List<ObjectNode> made = new ArrayList<>();

    /// @param prefix of all names, so that those of one case are not those of another
    VolumeMaker(Draw draw, List<String> nodeNames, String prefix) {
        this.draw = draw;
        this.nodeNames = nodeNames;
        this.parts = new VolumeParts(draw, nodeNames, prefix);
        this.disks = new DiskMaker(draw);
        this.candidates = new CandidateMaker(draw, parts, disks, nodeNames);
    }

    /// Everything but pods.
    List<ObjectNode> made() {
        return List.copyOf(made);
    }

    // --- what is there before

    /// Claims that pods on nodes have, some for a single pod, some for many.
    void addBase() {
        for (var namespace : Vocabulary.NAMESPACES) {
            for (int i = 1; i <= BASE_CLAIMS; i++) {
                if (draw.percent(85)) {
                    boundPair(namespace, "data-" + i, "base-" + namespace + "-" + i);
                }
            }
            plainPair(
                    namespace,
                    SOLO,
                    SOLO + "-" + namespace,
                    StorageMaker.PLAIN_DRIVER,
                    Json.array("ReadWriteOncePod"));
            plainPair(
                    namespace,
                    COMMON,
                    COMMON + "-" + namespace,
                    StorageMaker.PLAIN_DRIVER,
                    Json.array("ReadWriteMany"));
        }
    }

    /// What a pod on a node has.
    void addTo(ObjectNode boundPod) {
        var volumes = Json.array();
        for (int i = draw.between(1, 3); i > 0; i--) {
            var volume = boundVolume();
            volume.put("name", "v" + i);
            volumes.add(volume);
        }
        ((ObjectNode) boundPod.get("spec")).set("volumes", volumes);
    }

    /// Gives a pod on a node the claim that many have.
    void addCommonTo(ObjectNode boundPod) {
        var volume = claimVolume(COMMON);
        volume.put("name", "common");
        ((ObjectNode) boundPod.get("spec")).set("volumes", Json.array(volume));
    }

    /// The claim of an ephemeral one is missing.
    private ObjectNode boundVolume() {
        int kind = draw.between(1, 100);
        if (kind <= 40) {
            return baseClaim();
        }
        if (kind <= 60) {
            return claimVolume(SOLO);
        }
        if (kind <= 97) {
            return disks.inline();
        }
        return ephemeral();
    }

    private ObjectNode baseClaim() {
        return claimVolume("data-" + draw.between(1, BASE_CLAIMS));
    }

    // --- the pod to be placed

    /// Gives the pod volumes, and makes what they need.
    void addToPending(ObjectNode pod) {
        var namespace = pod.at("/metadata/namespace").asText();
        var matter = draw.oneOf(MATTERS);
        var volumes = Json.array();
        boolean isOne = matter == Matter.ROOM || matter == Matter.MOUNTED;
        int chosen = isOne ? 1 : draw.oneOf(1, 1, 1, 2, 2, 3);
        for (int i = 1; i <= chosen; i++) {
            var volume = pendingVolume(pod, namespace, matter);
            volume.put("name", "v" + i);
            volumes.add(volume);
        }
        ((ObjectNode) pod.get("spec")).set("volumes", volumes);
        switch (matter) {
            case MATCHING, ROOM -> keepToOneNode(pod, 40);
            case EXCLUSIVE -> makeImportant(pod);
            case DISKS, LIMITS -> {
                makeImportant(pod);
                keepToOneNode(pod, 60);
            }
            default -> {}
        }
    }

    /// Where there is but one node, both schedulers choose it, and write the same.
    private void keepToOneNode(ObjectNode pod, int chance) {
        var spec = (ObjectNode) pod.get("spec");
        if (!draw.percent(chance) || spec.has("affinity") || spec.has("nodeSelector")) {
            return;
        }
        var name =
                Json.object(
                        "key",
                        "metadata.name",
                        "operator",
                        "In",
                        "values",
                        Json.array(draw.oneOf(nodeNames)));
        var terms = Json.array(Json.object("matchFields", Json.array(name)));
        spec.set(
                "affinity",
                Json.object(
                        "nodeAffinity",
                        Json.object(
                                "requiredDuringSchedulingIgnoredDuringExecution",
                                Json.object("nodeSelectorTerms", terms))));
    }

    private void makeImportant(ObjectNode pod) {
        if (draw.percent(75)) {
            ((ObjectNode) pod.get("spec")).put("priorityClassName", draw.oneOf("high", "top"));
        }
    }

    private ObjectNode pendingVolume(ObjectNode pod, String namespace, Matter matter) {
        return switch (matter) {
            case MIXED -> mixed(pod, namespace);
            case MATCHING -> claimVolume(matching(namespace));
            case ROOM -> claimVolume(roomy(namespace));
            case ZONES -> claimVolume(zonal(namespace));
            case LIMITS -> counted(namespace);
            case ATTACHED -> besideAttached(namespace);
            case MOUNTED -> mountedBefore();
            case EXCLUSIVE -> draw.percent(85) ? claimVolume(SOLO) : baseClaim();
            case DISKS -> disks.inline();
            case OF_OLD -> ofOld(namespace);
            case TROUBLE ->
                    draw.percent(70) ? claimVolume(troubled(namespace)) : mixed(pod, namespace);
            case EPHEMERAL -> ephemeral(pod);
        };
    }

    private ObjectNode mixed(ObjectNode pod, String namespace) {
        int kind = draw.between(1, 100);
        if (kind <= 23) {
            var claim = parts.name("claim");
            boundPair(namespace, claim, parts.name("bound"));
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
            return ephemeral(pod);
        }
        if (kind <= 97) {
            return disks.inline();
        }
        return Json.object("emptyDir", Json.object());
    }

    private ObjectNode claimVolume(String claim) {
        return Json.object(
                "persistentVolumeClaim",
                Json.object("claimName", claim, "readOnly", draw.percent(10) ? true : null));
    }

    private ObjectNode ephemeral(ObjectNode pod) {
        ((ObjectNode) pod.get("metadata"))
                .set("annotations", Json.object(EPHEMERAL, draw.oneOf("made", "made", "foreign")));
        return ephemeral();
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
                                parts.claimSpec(draw.oneOf(StorageMaker.DELAYED), parts.modes()))));
    }

    // --- one matter

    /// A claim, and volumes that are just what it wants or nearly so.
    private String matching(String namespace) {
        var name = parts.name("claim");
        var spec = parts.claimSpec(draw.oneOf("local", "local", "wait"), parts.modes());
        if (draw.percent(20)) {
            spec.set("selector", parts.labelSelector());
        }
        made.add(parts.claim(namespace, name, spec, Json.object(), "Pending"));
        made.addAll(candidates.nearly(namespace, name, spec));
        return name;
    }

    /// A claim for which a volume is to be made where there is room, and the room.
    private String roomy(String namespace) {
        var name = parts.name("claim");
        var spec = parts.claimSpec("tight", parts.modes());
        made.add(parts.claim(namespace, name, spec, Json.object(), "Pending"));
        int size =
                Integer.parseInt(spec.at("/resources/requests/storage").asText().replace("Mi", ""));
        for (int i = draw.between(1, 4); i > 0; i--) {
            made.add(
                    new StorageMaker(draw, nodeNames)
                            .capacityAbout(parts.name("room"), namespace, size));
        }
        return name;
    }

    /// A claim whose volume has zones in its labels.
    private String zonal(String namespace) {
        var name = parts.name("claim");
        var volume =
                plainPair(
                        namespace,
                        name,
                        parts.name("bound"),
                        StorageMaker.PLAIN_DRIVER,
                        parts.modes());
        for (int i = draw.between(1, 2); i > 0; i--) {
            parts.addZone(volume);
        }
        return name;
    }

    /// A volume that counts for a driver with limits.
    private ObjectNode counted(String namespace) {
        var name = parts.name("claim");
        switch (draw.between(0, 4)) {
            case 0 -> {
                return baseClaim();
            }
            case 1 ->
                    made.add(
                            parts.claim(
                                    namespace,
                                    name,
                                    parts.claimSpec(
                                            draw.oneOf("wait", "wait", "ebs"), parts.modes()),
                                    Json.object(),
                                    "Pending"));
            default ->
                    plainPair(
                            namespace,
                            name,
                            parts.name("bound"),
                            draw.percent(70)
                                    ? StorageMaker.PLAIN_DRIVER
                                    : draw.oneOf(StorageMaker.DRIVERS),
                            parts.modes());
        }
        return claimVolume(name);
    }

    /// A volume of a driver that has others attached, which no pod uses.
    private ObjectNode besideAttached(String namespace) {
        attachOthers();
        var claim = parts.name("claim");
        plainPair(namespace, claim, parts.name("bound"), StorageMaker.PLAIN_DRIVER, parts.modes());
        return claimVolume(claim);
    }

    /// A volume that some nodes have for other pods, where others take the places that are left.
    private ObjectNode mountedBefore() {
        attachOthers();
        return claimVolume(COMMON);
    }

    private void attachOthers() {
        for (int i = draw.between(1, 2); i > 0; i--) {
            var name = parts.name("stray");
            made.add(
                    parts.volume(
                            name,
                            disks.csi(name, StorageMaker.PLAIN_DRIVER),
                            "stray",
                            parts.modes(),
                            null));
            var storage = new StorageMaker(draw, nodeNames);
            int most = Math.min(12, nodeNames.size());
            for (var node : draw.some(nodeNames, most / 2, most)) {
                made.add(
                        storage.attachment(
                                parts.name("attachment"), StorageMaker.PLAIN_DRIVER, node, name));
            }
        }
    }

    /// What was handled by plugins of old: in the pod, as a volume, or to be made.
    private ObjectNode ofOld(String namespace) {
        int kind = draw.between(1, 100);
        if (kind <= 20) {
            return disks.ofOld(parts.name("disk"), true);
        }
        var name = parts.name("claim");
        if (kind <= 35) {
            made.add(
                    parts.claim(
                            namespace,
                            name,
                            parts.claimSpec(draw.oneOf(StorageMaker.CLASSES_OF_OLD), parts.modes()),
                            Json.object(),
                            "Pending"));
            return claimVolume(name);
        }
        var volume = parts.name("bound");
        var pv = pair(namespace, name, volume, disks.ofOld(volume, false), parts.modes());
        if (draw.percent(50)) {
            parts.addZone(pv);
        }
        if (draw.percent(50)) {
            parts.addAffinity(pv);
        }
        return claimVolume(name);
    }

    // --- pairs

    /// A claim and its volume. Rarely one of them is not quite in order.
    private void boundPair(String namespace, String claim, String volume) {
        var modes = draw.percent(15) ? Json.array("ReadWriteOncePod") : parts.modes();
        var spec =
                parts.claimSpec(
                        draw.oneOf("wait", "ebs", StorageMaker.IMMEDIATE, "missing"), modes);
        spec.put("volumeName", volume);
        made.add(
                parts.claim(
                        namespace,
                        claim,
                        spec,
                        Json.object(BIND_COMPLETED, draw.percent(97) ? "yes" : null),
                        "Bound"));
        if (draw.percent(96)) {
            var pv =
                    parts.adorned(
                            parts.volume(
                                    volume,
                                    disks.source(volume),
                                    spec.at("/storageClassName").asText(),
                                    modes,
                                    VolumeParts.claimRef(namespace, claim, UID_OF_CLAIM)));
            pv.set("status", Json.object("phase", "Bound"));
            made.add(pv);
        }
    }

    /// A claim and its volume, which every node reaches.
    ///
    /// @return the volume
    private ObjectNode plainPair(
            String namespace, String claim, String volume, String driver, ArrayNode modes) {
        return pair(namespace, claim, volume, disks.csi(volume, driver), modes);
    }

    private ObjectNode pair(
            String namespace, String claim, String volume, ObjectNode source, ArrayNode modes) {
        var spec = parts.claimSpec("wait", modes);
        spec.put("volumeName", volume);
        made.add(parts.claim(namespace, claim, spec, Json.object(BIND_COMPLETED, "yes"), "Bound"));
        var pv =
                parts.volume(
                        volume,
                        source,
                        "wait",
                        modes,
                        VolumeParts.claimRef(namespace, claim, UID_OF_CLAIM));
        pv.set("status", Json.object("phase", "Bound"));
        made.add(pv);
        return pv;
    }

    /// A claim that waits for its pod, and volumes that it may or may not have.
    private String delayed(String namespace) {
        var name = parts.name("claim");
        var modes = parts.modes();
        var storageClass = draw.oneOf(StorageMaker.DELAYED);
        var spec = parts.claimSpec(storageClass, modes);
        if (draw.percent(15)) {
            spec.set("selector", parts.labelSelector());
        }
        var annotations = Json.object();
        if (draw.percent(10)) {
            annotations.put(
                    SELECTED_NODE, draw.percent(85) ? draw.oneOf(nodeNames) : draw.oneOf("", "n0"));
        }
        if (draw.percent(30)) {
            annotations.put(CLASS_ANNOTATION, storageClass);
            spec.put("storageClassName", draw.oneOf(StorageMaker.DELAYED));
        }
        made.add(parts.claim(namespace, name, spec, annotations, "Pending"));
        for (int i = draw.between(storageClass.equals("local") ? 1 : 0, 4); i > 0; i--) {
            made.add(candidates.any(namespace, name, storageClass, modes));
        }
        return name;
    }

    /// A claim with which something is wrong; it may be missing altogether.
    private String troubled(String namespace) {
        var name = parts.name("claim");
        var spec = parts.claimSpec(draw.oneOf("wait", "local"), parts.modes());
        var annotations = Json.object();
        var phase = "Pending";
        boolean isLeaving = false;
        switch (draw.between(0, 8)) {
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
            case 6 -> spec.put("volumeName", "base-" + namespace + "-1");
            case 7 -> annotations.put(SELECTED_NODE, draw.oneOf("", "n0", nodeNames.getFirst()));
            default -> {
                spec.put("volumeName", "gone");
                annotations.put(BIND_COMPLETED, "yes");
                phase = "Bound";
            }
        }
        var claim = parts.claim(namespace, name, spec, annotations, phase);
        if (isLeaving) {
            VolumeParts.leave(claim);
        }
        made.add(claim);
        return name;
    }
}
