package io.berth.apiserver.table;

import static io.berth.apiserver.table.Column.AGE;
import static io.berth.apiserver.table.Column.NAME;
import static io.berth.apiserver.table.Column.flag;
import static io.berth.apiserver.table.Column.loose;
import static io.berth.apiserver.table.Column.number;
import static io.berth.apiserver.table.Column.text;
import static io.berth.apiserver.table.Column.timed;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.resource.ResourceType;
import java.util.List;
import java.util.stream.Collectors;

/// The columns of each kind. A kind without an entry shows its name and when it was created.
final class Columns {
    private static final List<Column> DEFAULT =
            List.of(
                    NAME,
                    new Column(
                            "Created At",
                            "date",
                            "",
                            0,
                            "When the object was created.",
                            (object, now) ->
                                    object.path("metadata").path("creationTimestamp").asText("")));
    private static final Column CONTAINERS =
            text("Containers", o -> Cells.containers(template(o), "name")).wide();
    private static final Column IMAGES =
            text("Images", o -> Cells.containers(template(o), "image")).wide();
    private static final Column SELECTOR =
            text("Selector", o -> Cells.selector(o.path("spec").path("selector"), "<none>")).wide();

    private Columns() {}

    static List<Column> of(ResourceType type) {
        return switch (type.builtInKind()) {
            // Of kinds that clients made, nobody knows more.
            case "" -> List.of(NAME, AGE);
            case "Pod" -> pods();
            case "Node" -> nodes();
            case "Namespace" ->
                    List.of(
                            NAME,
                            text("Status", o -> o.path("status").path("phase").asText("")),
                            AGE);
            case "Service" -> services();
            case "ReplicationController" ->
                    List.of(
                            NAME,
                            spec("Desired", "replicas"),
                            status("Current", "replicas"),
                            status("Ready", "readyReplicas"),
                            AGE,
                            CONTAINERS,
                            IMAGES,
                            text("Selector", o -> Cells.labels(o.path("spec").path("selector")))
                                    .wide());
            case "ReplicaSet" ->
                    List.of(
                            NAME,
                            spec("Desired", "replicas"),
                            status("Current", "replicas"),
                            status("Ready", "readyReplicas"),
                            AGE,
                            CONTAINERS,
                            IMAGES,
                            SELECTOR);
            case "Deployment" ->
                    List.of(
                            NAME,
                            text("Ready", Columns::readyReplicas),
                            loose(
                                    "Up-to-date",
                                    o -> o.path("status").path("updatedReplicas").asLong()),
                            loose(
                                    "Available",
                                    o -> o.path("status").path("availableReplicas").asLong()),
                            AGE,
                            CONTAINERS,
                            IMAGES,
                            SELECTOR);
            case "StatefulSet" ->
                    List.of(NAME, text("Ready", Columns::readyReplicas), AGE, CONTAINERS, IMAGES);
            case "DaemonSet" -> daemonSets();
            case "PersistentVolume" -> persistentVolumes();
            case "PersistentVolumeClaim" -> persistentVolumeClaims();
            case "ConfigMap" ->
                    List.of(
                            NAME,
                            loose(
                                    "Data",
                                    o ->
                                            (long) o.path("data").size()
                                                    + o.path("binaryData").size()),
                            AGE);
            case "Secret" ->
                    List.of(
                            NAME,
                            text("Type", o -> o.path("type").asText("")),
                            loose("Data", o -> (long) o.path("data").size()),
                            AGE);
            case "ServiceAccount", "ResourceClaimTemplate", "DeviceClass" -> List.of(NAME, AGE);
            case "Event" -> events();
            case "Lease" ->
                    List.of(
                            NAME,
                            text("Holder", o -> o.path("spec").path("holderIdentity").asText("")),
                            AGE);
            case "RoleBinding", "ClusterRoleBinding" ->
                    List.of(NAME, text("Role", Columns::boundRole), AGE);
            case "PodDisruptionBudget" ->
                    List.of(
                            NAME,
                            text(
                                    "Min Available",
                                    o -> Cells.orElse(o.path("spec").path("minAvailable"), "N/A")),
                            text(
                                    "Max Unavailable",
                                    o ->
                                            Cells.orElse(
                                                    o.path("spec").path("maxUnavailable"), "N/A")),
                            status("Allowed Disruptions", "disruptionsAllowed"),
                            AGE);
            case "Job" -> jobs();
            case "CronJob" -> cronJobs();
            case "ControllerRevision" ->
                    List.of(
                            NAME,
                            text("Controller", JobCells::controller),
                            number("Revision", o -> o.path("revision").asLong()),
                            AGE);
            case "VolumeAttributesClass" ->
                    List.of(NAME, text("DriverName", o -> o.path("driverName").asText("")), AGE);
            case "StorageClass" -> storageClasses();
            case "CSINode" ->
                    List.of(
                            NAME,
                            number("Drivers", o -> (long) o.path("spec").path("drivers").size()),
                            AGE);
            case "CSIDriver" -> csiDrivers();
            case "VolumeAttachment" ->
                    List.of(
                            NAME,
                            text("Attacher", o -> o.path("spec").path("attacher").asText(""))
                                    .withFormat("name"),
                            text(
                                    "PV",
                                    o ->
                                            o.path("spec")
                                                    .path("source")
                                                    .path("persistentVolumeName")
                                                    .asText("")),
                            text("Node", o -> o.path("spec").path("nodeName").asText("")),
                            flag("Attached", o -> o.path("status").path("attached").asBoolean()),
                            AGE);
            case "PriorityClass" ->
                    List.of(
                            NAME,
                            number("Value", o -> o.path("value").asLong()),
                            flag("Global-Default", o -> o.path("globalDefault").asBoolean()),
                            AGE,
                            text("PreemptionPolicy", o -> o.path("preemptionPolicy").asText("")));
            case "ResourceClaim" -> List.of(NAME, text("State", Cells::claimState), AGE);
            case "ResourceSlice" ->
                    List.of(
                            NAME,
                            text("Node", o -> o.path("spec").path("nodeName").asText("")),
                            text("Driver", o -> o.path("spec").path("driver").asText("")),
                            text("Pool", o -> o.path("spec").path("pool").path("name").asText("")),
                            AGE);
            default -> DEFAULT;
        };
    }

    private static List<Column> pods() {
        return List.of(
                NAME,
                text("Ready", o -> new PodSummary(o).ready()),
                text("Status", o -> new PodSummary(o).status()),
                timed("Restarts", (o, now) -> new PodSummary(o).restarts(now)),
                AGE,
                text(
                                "IP",
                                o ->
                                        Cells.orElse(
                                                o.path("status").path("podIPs").path(0).path("ip"),
                                                "<none>"))
                        .wide(),
                text("Node", o -> Cells.orElse(o.path("spec").path("nodeName"), "<none>")).wide(),
                text(
                                "Nominated Node",
                                o ->
                                        Cells.orElse(
                                                o.path("status").path("nominatedNodeName"),
                                                "<none>"))
                        .wide(),
                text("Readiness Gates", PodSummary::readinessGates).wide());
    }

    private static List<Column> nodes() {
        return List.of(
                NAME,
                text("Status", Cells::nodeStatus),
                text("Roles", Cells::nodeRoles),
                AGE,
                text("Version", o -> info(o, "kubeletVersion").asText("")),
                text("Internal-IP", o -> Cells.nodeAddress(o, "InternalIP")).wide(),
                text("External-IP", o -> Cells.nodeAddress(o, "ExternalIP")).wide(),
                text("OS-Image", o -> Cells.orElse(info(o, "osImage"), "<unknown>")).wide(),
                text("Kernel-Version", Cells::kernel).wide(),
                text(
                                "Container-Runtime",
                                o -> Cells.orElse(info(o, "containerRuntimeVersion"), "<unknown>"))
                        .wide());
    }

    private static JsonNode info(JsonNode node, String field) {
        return node.path("status").path("nodeInfo").path(field);
    }

    private static List<Column> services() {
        return List.of(
                NAME,
                text("Type", o -> o.path("spec").path("type").asText("")),
                text("Cluster-IP", Cells::clusterIp),
                text("External-IP", Cells::externalIp),
                text("Port(s)", Cells::servicePorts),
                AGE,
                text("Selector", o -> Cells.labels(o.path("spec").path("selector"))).wide());
    }

    private static List<Column> daemonSets() {
        return List.of(
                NAME,
                status("Desired", "desiredNumberScheduled"),
                status("Current", "currentNumberScheduled"),
                status("Ready", "numberReady"),
                status("Up-to-date", "updatedNumberScheduled"),
                status("Available", "numberAvailable"),
                text("Node Selector", o -> Cells.labels(template(o).path("nodeSelector"))),
                AGE,
                CONTAINERS,
                IMAGES,
                SELECTOR);
    }

    private static List<Column> persistentVolumes() {
        return List.of(
                NAME,
                text(
                        "Capacity",
                        o -> Cells.orElse(o.path("spec").path("capacity").path("storage"), "0")),
                text("Access Modes", o -> Cells.accessModes(o.path("spec").path("accessModes"))),
                text(
                        "Reclaim Policy",
                        o -> o.path("spec").path("persistentVolumeReclaimPolicy").asText("")),
                text("Status", Cells::phase),
                text("Claim", Columns::claim),
                text("StorageClass", o -> o.path("spec").path("storageClassName").asText("")),
                attributesClass(),
                text("Reason", o -> o.path("status").path("reason").asText("")),
                AGE,
                volumeMode());
    }

    private static String claim(JsonNode volume) {
        JsonNode claim = volume.path("spec").path("claimRef");
        return claim.isObject()
                ? claim.path("namespace").asText("") + "/" + claim.path("name").asText("")
                : "";
    }

    private static List<Column> persistentVolumeClaims() {
        return List.of(
                NAME,
                text("Status", Cells::phase),
                text("Volume", o -> o.path("spec").path("volumeName").asText("")),
                text(
                        "Capacity",
                        o ->
                                bound(o)
                                        ? Cells.orElse(
                                                o.path("status").path("capacity").path("storage"),
                                                "0")
                                        : ""),
                text(
                        "Access Modes",
                        o ->
                                bound(o)
                                        ? Cells.accessModes(o.path("status").path("accessModes"))
                                        : ""),
                text("StorageClass", o -> o.path("spec").path("storageClassName").asText("")),
                attributesClass(),
                AGE,
                volumeMode());
    }

    private static boolean bound(JsonNode claim) {
        return !claim.path("spec").path("volumeName").asText("").isEmpty();
    }

    private static Column attributesClass() {
        return text(
                "VolumeAttributesClass",
                o -> Cells.orElse(o.path("spec").path("volumeAttributesClassName"), "<unset>"));
    }

    private static Column volumeMode() {
        return text("VolumeMode", o -> Cells.orElse(o.path("spec").path("volumeMode"), "<unset>"))
                .wide();
    }

    private static List<Column> events() {
        return List.of(
                timed("Last Seen", Cells::lastSeen),
                text("Type", o -> o.path("type").asText("")),
                text("Reason", o -> o.path("reason").asText("")),
                text("Object", Cells::eventObject),
                text(
                                "Subobject",
                                o ->
                                        Cells.either(o, "involvedObject", "regarding")
                                                .path("fieldPath")
                                                .asText(""))
                        .wide(),
                text("Source", Cells::eventSource).wide(),
                text("Message", o -> Cells.either(o, "message", "note").asText("").strip()),
                timed("First Seen", Cells::firstSeen).wide(),
                loose("Count", Cells::eventCount).wide(),
                NAME.wide());
    }

    private static List<Column> storageClasses() {
        return List.of(
                new Column(
                        "Name",
                        "string",
                        "name",
                        0,
                        NAME.description(),
                        (o, now) -> NAME.cell().apply(o, now) + (isDefault(o) ? " (default)" : "")),
                text("Provisioner", o -> o.path("provisioner").asText("")),
                text("ReclaimPolicy", o -> Cells.orElse(o.path("reclaimPolicy"), "Delete")),
                text(
                        "VolumeBindingMode",
                        o -> Cells.orElse(o.path("volumeBindingMode"), "Immediate")),
                loose("AllowVolumeExpansion", o -> o.path("allowVolumeExpansion").asBoolean()),
                AGE);
    }

    private static boolean isDefault(JsonNode storageClass) {
        return storageClass
                .path("metadata")
                .path("annotations")
                .path("storageclass.kubernetes.io/is-default-class")
                .asText("")
                .equals("true");
    }

    private static List<Column> csiDrivers() {
        return List.of(
                NAME,
                flag("AttachRequired", o -> o.path("spec").path("attachRequired").asBoolean(true)),
                flag("PodInfoOnMount", o -> o.path("spec").path("podInfoOnMount").asBoolean()),
                flag("StorageCapacity", o -> o.path("spec").path("storageCapacity").asBoolean()),
                text(
                        "TokenRequests",
                        o ->
                                o.path("spec").has("tokenRequests")
                                        ? o.path("spec")
                                                .path("tokenRequests")
                                                .valueStream()
                                                .map(t -> t.path("audience").asText(""))
                                                .collect(Collectors.joining(","))
                                        : "<unset>"),
                flag(
                        "RequiresRepublish",
                        o -> o.path("spec").path("requiresRepublish").asBoolean()),
                text(
                        "Modes",
                        o -> {
                            String modes =
                                    o.path("spec")
                                            .path("volumeLifecycleModes")
                                            .valueStream()
                                            .map(JsonNode::asText)
                                            .collect(Collectors.joining(","));
                            return modes.isEmpty() ? "<none>" : modes;
                        }),
                AGE);
    }

    private static List<Column> jobs() {
        return List.of(
                NAME,
                text("Status", JobCells::status),
                text("Completions", JobCells::completions),
                timed("Duration", JobCells::duration),
                AGE,
                CONTAINERS,
                IMAGES,
                SELECTOR);
    }

    private static List<Column> cronJobs() {
        return List.of(
                NAME,
                text("Schedule", o -> o.path("spec").path("schedule").asText("")),
                text("Timezone", o -> Cells.orElse(o.path("spec").path("timeZone"), "<none>")),
                text("Suspend", o -> o.path("spec").path("suspend").asBoolean() ? "True" : "False"),
                number("Active", o -> (long) o.path("status").path("active").size()),
                timed("Last Schedule", JobCells::lastSchedule),
                AGE,
                text("Containers", o -> Cells.containers(JobCells.template(o), "name")).wide(),
                text("Images", o -> Cells.containers(JobCells.template(o), "image")).wide(),
                text("Selector", o -> "<none>").wide());
    }

    private static Column spec(String name, String field) {
        return number(name, o -> o.path("spec").path(field).asLong());
    }

    private static Column status(String name, String field) {
        return number(name, o -> o.path("status").path(field).asLong());
    }

    private static String readyReplicas(JsonNode workload) {
        return workload.path("status").path("readyReplicas").asLong()
                + "/"
                + workload.path("spec").path("replicas").asLong();
    }

    private static JsonNode template(JsonNode workload) {
        return workload.path("spec").path("template").path("spec");
    }

    private static String boundRole(JsonNode binding) {
        JsonNode role = binding.path("roleRef");
        return role.path("kind").asText() + "/" + role.path("name").asText();
    }
}
