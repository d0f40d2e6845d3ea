package io.berth.apiserver.admission;

import static io.berth.apiserver.admission.Nodes.child;
import static io.berth.apiserver.admission.Nodes.list;
import static io.berth.apiserver.admission.Nodes.objects;
import static io.berth.apiserver.admission.Nodes.unset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Makes an arriving object what the store will hold: defaults, mutating admission, the first
/// status, generations, and on updates the parts that a request may not touch. Validation is a step
/// of its own, [Validation].
///
/// Left out, since no controller of theirs runs here: service accounts, finalizers that protect
/// volumes in use, quotas, runtime classes.
public final class Admission {
    /// Kinds whose `metadata.generation` counts changes of the spec.
    private static final Set<String> GENERATIONS =
            Set.of(
                    "Pod",
                    "ReplicationController",
                    "ReplicaSet",
                    "StatefulSet",
                    "Deployment",
                    "DaemonSet",
                    "Job",
                    "CronJob",
                    "PodDisruptionBudget",
                    "DeviceClass",
                    "ResourceSlice",
                    "CustomResourceDefinition");

    private final ClusterFacts facts;
    private final InstantSource clock;
    private final Options options;

    public Admission(ClusterFacts facts, InstantSource clock, Options options) {
        this.facts = facts;
        this.clock = clock;
        this.options = options;
    }

    /// What differs between an embedded server and a real control plane.
    ///
    /// @param taintNewNodes whether a new node gets the taint `node.kubernetes.io/not-ready` with
    ///   effect NoSchedule. A real server does that and the node lifecycle controller takes the
    ///   taint away; without that controller the node would stay unusable.
    public record Options(boolean taintNewNodes) {
        public static final Options DEFAULT = new Options(false);
    }

    /// The object with the API defaults of its kind and nothing else; the given tree is left as it
    /// is. This is the moment at which field managers are recorded.
    public static ObjectNode defaulted(ResourceType type, ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        KindDefaults.apply(type, copy);
        return copy;
    }

    /// The object to store for a create request; the given tree is left as it is.
    ///
    /// @throws Refusal with status 403 if an admission rule says no
    public ObjectNode create(ResourceType type, ObjectNode posted) {
        ObjectNode object = posted.deepCopy();
        KindDefaults.apply(type, object);
        if (type.custom() && type.hasSubresource("status")) {
            object.remove("status");
        }
        if (hasGeneration(type) || type.builtInKind().equals("PriorityClass")) {
            child(object, "metadata").put("generation", 1);
        }
        switch (type.builtInKind()) {
            case "Pod" -> new PodAdmission(type, facts).create(object, clock.instant());
            case "Node" -> taint(object);
            case "Namespace" -> {
                list(child(object, "spec"), "finalizers").removeAll().add("kubernetes");
                object.putObject("status").put("phase", "Active");
            }
            case "PersistentVolumeClaim" -> {
                chooseStorageClass(object);
                object.putObject("status").put("phase", "Pending");
            }
            case "PersistentVolume" ->
                    object.putObject("status")
                            .put("phase", "Pending")
                            .put("lastPhaseTransitionTime", now());
            case "PriorityClass" -> requireOneDefault(type, object);
            case "ResourceSlice" -> dateTaints(object);
            case "CustomResourceDefinition" -> Definitions.established(object, now());
            case "Job" -> {
                JobDefaults.select(object);
                FirstStatus.set(type, object);
            }
            default -> FirstStatus.set(type, object);
        }
        return object;
    }

    /// The object to store for an update of the resource itself or, with `subresource` `status`, of
    /// its status; the given trees are left as they are.
    ///
    /// @param subresource empty for the resource itself
    public ObjectNode update(
            ResourceType type, String subresource, ObjectNode old, ObjectNode posted) {
        ObjectNode object = posted.deepCopy();
        keepSystemFields(old, object);
        if (subresource.equals("status")) {
            keepAllButStatus(old, object);
            if (type.builtInKind().equals("Pod") && old.path("status").has("qosClass")) {
                child(object, "status").set("qosClass", old.path("status").get("qosClass"));
            }
            return object;
        }
        if (type.hasSubresource("status")) {
            Nodes.copy(old, object, "status");
        }
        KindDefaults.apply(type, object);
        if (type.builtInKind().equals("Pod")) {
            keepPriority(old, object);
            if (subresource.isEmpty()) {
                PodAdmission.addDefaultTolerations(child(object, "spec"));
            }
        }
        if (type.builtInKind().equals("PriorityClass")) {
            requireOneDefault(type, object);
        }
        if (type.builtInKind().equals("ResourceSlice")) {
            dateTaints(object);
        }
        if (type.builtInKind().equals("CustomResourceDefinition")) {
            Definitions.accepted(object);
        }
        countGeneration(type, old, object);
        return object;
    }

    /// A taint of a device tells since when it is there.
    private void dateTaints(ObjectNode slice) {
        for (ObjectNode device : Nodes.objects(child(slice, "spec"), "devices")) {
            for (ObjectNode taint : Nodes.objects(device, "taints")) {
                Nodes.fill(taint, "timeAdded", now());
            }
        }
    }

    /// What a client may leave out, and what it cannot change by sending something else.
    private static void keepSystemFields(ObjectNode old, ObjectNode object) {
        ObjectNode metadata = child(object, "metadata");
        if (!(old.get("metadata") instanceof ObjectNode before)) {
            return;
        }
        for (String field : List.of("name", "namespace", "uid")) {
            if (unset(metadata, field)) {
                Nodes.copy(before, metadata, field);
            }
        }
        Nodes.copy(before, metadata, "creationTimestamp");
        Nodes.copy(before, metadata, "generation");
        if (before.has("deletionTimestamp")) {
            Nodes.copy(before, metadata, "deletionTimestamp");
            Nodes.copy(before, metadata, "deletionGracePeriodSeconds");
        }
    }

    /// A status update changes the status, and of the metadata what is not the server's or the
    /// owners' own.
    private static void keepAllButStatus(ObjectNode old, ObjectNode object) {
        for (var entry : old.properties()) {
            if (!entry.getKey().equals("status") && !entry.getKey().equals("metadata")) {
                object.set(entry.getKey(), entry.getValue().deepCopy());
            }
        }
        if (old.get("metadata") instanceof ObjectNode before) {
            ObjectNode metadata = child(object, "metadata");
            Nodes.copy(before, metadata, "ownerReferences");
            Nodes.copy(before, metadata, "deletionTimestamp");
        }
    }

    private static void keepPriority(ObjectNode old, ObjectNode object) {
        ObjectNode spec = child(object, "spec");
        for (String field : new String[] {"priority", "preemptionPolicy"}) {
            if (unset(spec, field) && !unset(old.path("spec"), field)) {
                spec.set(field, old.path("spec").get(field));
            }
        }
    }

    private static boolean hasGeneration(ResourceType type) {
        return type.custom() || GENERATIONS.contains(type.builtInKind());
    }

    private static void countGeneration(ResourceType type, ObjectNode old, ObjectNode object) {
        if (!hasGeneration(type)) {
            return;
        }
        int generation = old.path("metadata").path("generation").asInt();
        // All of a custom object counts: nobody knows what its parts mean.
        boolean changed =
                type.custom()
                        ? !withoutMetadata(old).equals(withoutMetadata(object))
                        : !old.path("spec").equals(object.path("spec"));
        if (type.builtInKind().equals("Deployment")) {
            // Annotations of a deployment are copied to its replica sets, so they count, too.
            changed |=
                    !old.path("metadata")
                            .path("annotations")
                            .equals(object.path("metadata").path("annotations"));
        }
        child(object, "metadata").put("generation", changed ? generation + 1 : generation);
    }

    private static ObjectNode withoutMetadata(ObjectNode object) {
        ObjectNode rest = object.objectNode();
        rest.setAll(object);
        rest.remove("metadata");
        return rest;
    }

    private void taint(ObjectNode node) {
        if (!options.taintNewNodes) {
            return;
        }
        ObjectNode spec = child(node, "spec");
        boolean present =
                objects(spec, "taints").stream()
                        .anyMatch(taint ->
                                taint.path("key").asText().equals("node.kubernetes.io/not-ready")
                                        && taint.path("effect").asText().equals("NoSchedule"));
        if (!present) {
            list(spec, "taints")
                    .addObject()
                    .put("key", "node.kubernetes.io/not-ready")
                    .put("effect", "NoSchedule");
        }
    }

    /// A claim that names no class gets the default one, the newest if there are several.
    private void chooseStorageClass(ObjectNode claim) {
        ObjectNode spec = child(claim, "spec");
        boolean named =
                spec.has("storageClassName")
                        || claim.path("metadata")
                                .path("annotations")
                                .has("volume.beta.kubernetes.io/storage-class");
        if (named) {
            return;
        }
        facts.storageClasses().stream()
                .filter(each ->
                        each.path("metadata")
                                .path("annotations")
                                .path("storageclass.kubernetes.io/is-default-class")
                                .asText("")
                                .equals("true"))
                .max(
                        Comparator.<ObjectNode, String>comparing(each ->
                                        each.path("metadata").path("creationTimestamp").asText(""))
                                .thenComparing(Nodes::name, Comparator.reverseOrder()))
                .ifPresent(each -> spec.put("storageClassName", Nodes.name(each)));
    }

    private void requireOneDefault(ResourceType type, ObjectNode priorityClass) {
        if (!priorityClass.path("globalDefault").asBoolean()) {
            return;
        }
        String name = Nodes.name(priorityClass);
        facts.priorityClasses().stream()
                .filter(each -> each.path("globalDefault").asBoolean())
                .map(Nodes::name)
                .filter(other -> !other.equals(name))
                .findFirst()
                .ifPresent(other -> {
                    throw Refusal.forbidden(
                            type,
                            name,
                            "PriorityClass "
                                    + other
                                    + " is already marked as default. Only one default can exist");
                });
    }

    private String now() {
        return clock.instant().truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
    }
}
