package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks objects against the rules of their kinds, after defaulting. The result lists everything
/// wrong at once; an empty list means a valid object.
public final class Validation {
    private static final int HIGHEST_USER_PRIORITY = 1_000_000_000;
    private static final Set<String> WORKLOADS =
            Set.of("ReplicaSet", "Deployment", "StatefulSet", "DaemonSet");

    private Validation() {}

    public static List<FieldError> create(ResourceType type, ObjectNode object) {
        var problems = new Problems();
        MetadataValidation.check(type, object.path("metadata"), problems);
        content(type, object, problems);
        switch (type.builtInKind()) {
            case "Pod" -> new PodValidation(problems).checkNew(object.path("spec"));
            case "PriorityClass" -> priorityClass(object, problems);
            default -> {
                // Nothing more than always.
            }
        }
        return problems.list();
    }

    /// Checks a change; fields that may not change are compared with the old object.
    ///
    /// @param subresource empty for the resource itself; `status` skips the rules of the spec
    public static List<FieldError> update(
            ResourceType type, String subresource, ObjectNode old, ObjectNode object) {
        var problems = new Problems();
        MetadataValidation.checkUpdate(
                type, old.path("metadata"), object.path("metadata"), problems);
        if (!subresource.equals("status")) {
            content(type, object, problems);
        } else if (type.builtInKind().equals("ResourceClaim")) {
            new DeviceClaimValidation(problems).status(old, object);
        }
        if (subresource.isEmpty()) {
            changes(type, old, object, problems);
        }
        return problems.list();
    }

    private static void content(ResourceType type, ObjectNode object, Problems problems) {
        JsonNode spec = object.path("spec");
        switch (type.builtInKind()) {
            case "Pod" -> new PodValidation(problems).check(spec, "spec");
            case "Node" -> node(object, problems);
            case "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet" -> workload(spec, problems);
            case "ReplicationController" -> {
                if (!spec.has("template")) {
                    problems.required("spec.template", "");
                }
            }
            case "PersistentVolumeClaim" -> claim(spec, problems);
            case "PersistentVolume" -> volume(spec, problems);
            case "StorageClass" -> storageClass(object, problems);
            case "PodDisruptionBudget" -> disruptionBudget(spec, problems);
            case "PriorityClass" ->
                    oneOf(object, "preemptionPolicy", problems, "PreemptLowerPriority", "Never");
            case "Lease" -> lease(spec, problems);
            case "Service" -> service(spec, problems);
            case "Job" -> JobValidation.check(spec, "spec", problems);
            case "CronJob" -> JobValidation.cron(spec, problems);
            case "DeviceClass" -> new DeviceClaimValidation(problems).deviceClass(spec);
            case "ResourceClaim" -> new DeviceClaimValidation(problems).claim(spec, "spec");
            case "ResourceClaimTemplate" ->
                    new DeviceClaimValidation(problems).claim(spec.path("spec"), "spec.spec");
            case "ResourceSlice" -> new SliceValidation(problems).check(spec);
            case "CustomResourceDefinition" -> Definitions.check(object, problems);
            default -> {
                // The schema is all there is to check.
            }
        }
    }

    private static void changes(
            ResourceType type, ObjectNode old, ObjectNode object, Problems problems) {
        switch (type.builtInKind()) {
            case "Pod" ->
                    PodUpdateValidation.check(old.path("spec"), object.path("spec"), problems);
            case "Node" -> {
                String before = old.path("spec").path("providerID").asText("");
                if (!before.isEmpty()
                        && !before.equals(object.path("spec").path("providerID").asText(""))) {
                    problems.forbidden(
                            "spec.providerID",
                            "node updates may not change providerID except from \"\" to valid");
                }
            }
            case "PriorityClass" -> {
                if (old.path("value").asInt() != object.path("value").asInt()) {
                    problems.forbidden("value", "may not be changed in an update.");
                }
                immutable(old, object, "", "preemptionPolicy", problems);
            }
            case "PersistentVolumeClaim" -> claimChanges(old, object, problems);
            case "StorageClass" -> {
                for (String field :
                        List.of(
                                "parameters",
                                "provisioner",
                                "reclaimPolicy",
                                "volumeBindingMode")) {
                    immutable(old, object, "", field, problems);
                }
            }
            case "ConfigMap", "Secret" -> frozenData(old, object, problems);
            case "ResourceClaim", "ResourceClaimTemplate" ->
                    immutable(old, object, "", "spec", problems);
            case "ResourceSlice" -> new SliceValidation(problems).changes(old, object);
            case "ControllerRevision" -> immutable(old, object, "", "data", problems);
            case "Job" -> JobValidation.changes(old.path("spec"), object.path("spec"), problems);
            case "CustomResourceDefinition" -> Definitions.checkChange(old, object, problems);
            default -> {
                if (WORKLOADS.contains(type.builtInKind())) {
                    immutable(
                            (ObjectNode) old.path("spec"),
                            (ObjectNode) object.path("spec"),
                            "spec.",
                            "selector",
                            problems);
                }
            }
        }
    }

    static void immutable(
            JsonNode old, JsonNode object, String prefix, String field, Problems problems) {
        if (!old.path(field).equals(object.path(field))) {
            problems.invalid(prefix + field, object.path(field), "field is immutable");
        }
    }

    private static void node(ObjectNode node, Problems problems) {
        var pods = new PodValidation(problems);
        for (String list : List.of("capacity", "allocatable")) {
            pods.quantities(node.path("status").path(list), name -> "status." + list + "." + name);
        }
        JsonNode taints = node.path("spec").path("taints");
        var seen = new HashSet<String>();
        for (int i = 0; i < taints.size(); i++) {
            // Upstream reports taints below metadata, too.
            String path = "metadata.taints[" + i + "]";
            String key = taints.get(i).path("key").asText("");
            String value = taints.get(i).path("value").asText("");
            String effect = taints.get(i).path("effect").asText("");
            problems.invalid(path + ".key", key, Names.labelKey(key));
            List<String> wrong = Names.labelValue(value);
            if (!wrong.isEmpty()) {
                problems.invalid(path + ".value", value, String.join(";", wrong));
            }
            if (effect.isEmpty()) {
                problems.required(path + ".effect", "");
            } else {
                oneOf(
                        taints.get(i),
                        "effect",
                        path + ".effect",
                        problems,
                        "NoSchedule",
                        "PreferNoSchedule",
                        "NoExecute");
            }
            if (!seen.add(key + ":" + effect)) {
                problems.duplicate(
                        path, taints.get(i), "taints must be unique by key and effect pair");
            }
        }
    }

    private static void workload(JsonNode spec, Problems problems) {
        if (spec.path("replicas").asLong() < 0) {
            problems.invalid(
                    "spec.replicas", spec.path("replicas"), "must be greater than or equal to 0");
        }
        JsonNode selector = spec.path("selector");
        if (!selector.isObject()) {
            problems.required("spec.selector", "");
        } else if (selector.isEmpty()) {
            problems.invalid("spec.selector", selector, "empty selector is invalid for deployment");
        }
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        if (!matches(selector, labels)) {
            problems.invalid(
                    "spec.template.metadata.labels",
                    labels,
                    "`selector` does not match template `labels`");
        }
        new PodValidation(problems).check(spec.path("template").path("spec"), "spec.template.spec");
    }

    /// Expressions are not looked at: what they ask for rarely fails to match one's own template.
    private static boolean matches(JsonNode selector, JsonNode labels) {
        return selector.isObject()
                && selector.path("matchLabels").properties().stream()
                        .allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
    }

    private static void claim(JsonNode spec, Problems problems) {
        if (spec.path("accessModes").isEmpty()) {
            problems.required("spec.accessModes", "at least 1 access mode is required");
        }
        if (!spec.path("resources").path("requests").has("storage")) {
            problems.required("spec.resources[storage]", "");
        }
        new PodValidation(problems).resources(spec.path("resources"), "spec.resources");
    }

    private static void claimChanges(ObjectNode old, ObjectNode object, Problems problems) {
        ObjectNode before = Nodes.child(old.deepCopy(), "spec");
        ObjectNode after = Nodes.child(object.deepCopy(), "spec");
        boolean bound = old.path("status").path("phase").asText().equals("Bound");
        // The binder may fill in what the user left open.
        for (String field : List.of("volumeName", "storageClassName")) {
            if (before.path(field).asText("").isEmpty()) {
                Nodes.copy(before, after, field);
            }
        }
        var oldSize = Quantity.parse(requestedStorage(before));
        var newSize = Quantity.parse(requestedStorage(after));
        if (bound) {
            Nodes.copy(before, after, "volumeAttributesClassName");
            if (oldSize.isPresent() && newSize.isPresent()) {
                if (newSize.get().compareTo(oldSize.get()) < 0) {
                    problems.forbidden(
                            "spec.resources.requests.storage",
                            "field can not be less than previous value");
                }
                Nodes.copy(before, after, "resources");
            }
        }
        if (!before.equals(after)) {
            problems.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and"
                            + " volumeAttributesClassName for bound claims\n");
        }
    }

    private static String requestedStorage(JsonNode spec) {
        return spec.path("resources").path("requests").path("storage").asText("");
    }

    private static void volume(JsonNode spec, Problems problems) {
        if (spec.path("accessModes").isEmpty()) {
            problems.required("spec.accessModes", "");
        }
        if (spec.path("capacity").isEmpty()) {
            problems.required("spec.capacity", "");
        }
        new PodValidation(problems).quantities(spec.path("capacity"), "spec.capacity");
        oneOf(
                spec,
                "persistentVolumeReclaimPolicy",
                "spec.persistentVolumeReclaimPolicy",
                problems,
                "Delete",
                "Recycle",
                "Retain");
    }

    private static void storageClass(ObjectNode object, Problems problems) {
        if (object.path("provisioner").asText("").isEmpty()) {
            problems.required("provisioner", "");
        }
        oneOf(object, "reclaimPolicy", problems, "Delete", "Retain");
        oneOf(object, "volumeBindingMode", problems, "Immediate", "WaitForFirstConsumer");
    }

    private static void disruptionBudget(JsonNode spec, Problems problems) {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            problems.invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
        }
        new PlacementValidation(problems).labelSelector(spec.path("selector"), "spec.selector");
    }

    private static void priorityClass(ObjectNode object, Problems problems) {
        String name = Nodes.name(object);
        if (name.startsWith("system-")) {
            boolean known =
                    SystemObjects.priorityClasses().stream()
                            .anyMatch(each ->
                                    Nodes.name(each).equals(name)
                                            && each.path("value").asInt()
                                                    == object.path("value").asInt());
            if (!known) {
                problems.forbidden(
                        "metadata.name",
                        "priority class names with 'system-' prefix are reserved for system use"
                                + " only. error: "
                                + name
                                + " is not a known system priority class");
            }
        } else if (object.path("value").asInt() > HIGHEST_USER_PRIORITY) {
            problems.forbidden(
                    "value",
                    "maximum allowed value of a user defined priority is " + HIGHEST_USER_PRIORITY);
        }
    }

    private static void lease(JsonNode spec, Problems problems) {
        JsonNode seconds = spec.path("leaseDurationSeconds");
        if (seconds.isNumber() && seconds.asInt() <= 0) {
            problems.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0");
        }
        JsonNode transitions = spec.path("leaseTransitions");
        if (transitions.asInt() < 0) {
            problems.invalid(
                    "spec.leaseTransitions", transitions, "must be greater than or equal to 0");
        }
    }

    private static void service(JsonNode spec, Problems problems) {
        boolean needsPorts =
                !spec.path("type").asText().equals("ExternalName")
                        && !spec.path("clusterIP").asText("").equals("None");
        if (needsPorts && spec.path("ports").isEmpty()) {
            problems.required("spec.ports", "");
        }
        for (int i = 0; i < spec.path("ports").size(); i++) {
            for (String part : List.of("port", "targetPort")) {
                JsonNode port = spec.path("ports").get(i).path(part);
                if (port.isNumber() && (port.asInt() < 1 || port.asInt() > 65535)) {
                    problems.invalid(
                            "spec.ports[" + i + "]." + part,
                            port,
                            "must be between 1 and 65535, inclusive");
                }
            }
        }
        oneOf(
                spec,
                "type",
                "spec.type",
                problems,
                "ClusterIP",
                "ExternalName",
                "LoadBalancer",
                "NodePort");
    }

    private static void frozenData(ObjectNode old, ObjectNode object, Problems problems) {
        if (!old.path("immutable").asBoolean()) {
            return;
        }
        if (!object.path("immutable").asBoolean()) {
            problems.forbidden("immutable", "field is immutable when `immutable` is set");
        }
        for (String field : List.of("data", "binaryData")) {
            if (!old.path(field).equals(object.path(field))) {
                problems.forbidden(field, "field is immutable when `immutable` is set");
            }
        }
    }

    private static void oneOf(
            JsonNode parent, String field, Problems problems, String... supported) {
        oneOf(parent, field, field, problems, supported);
    }

    private static void oneOf(
            JsonNode parent, String field, String path, Problems problems, String... supported) {
        String value = parent.path(field).asText("");
        if (!value.isEmpty() && !List.of(supported).contains(value)) {
            problems.notSupported(path, value, supported);
        }
    }
}
