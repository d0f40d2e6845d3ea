package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What the server decides about an object whatever the client wrote: identity, times, generation,
/// and which half of an object a request may change.
final class Preparation {
    /// Members of metadata that clients never set.
    private static final List<String> SYSTEM_FIELDS =
            List.of(
                    "uid",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "selfLink",
                    "generation");

    /// The status of a new object, by kind; a kind with a status subresource and no entry here
    /// starts with an empty one.
    private static final Map<String, String> FIRST_STATUS =
            Map.of(
                    "Pod", "{\"phase\":\"Pending\"}",
                    "Namespace", "{\"phase\":\"Active\"}",
                    "PersistentVolume", "{\"phase\":\"Pending\"}",
                    "PersistentVolumeClaim", "{\"phase\":\"Pending\"}",
                    "Service", "{\"loadBalancer\":{}}",
                    "ReplicationController", "{\"replicas\":0}",
                    "ReplicaSet", "{\"replicas\":0}",
                    "StatefulSet", "{\"replicas\":0,\"availableReplicas\":0}",
                    "DaemonSet",
                            "{\"currentNumberScheduled\":0,\"numberMisscheduled\":0,"
                                    + "\"desiredNumberScheduled\":0,\"numberReady\":0}",
                    "PodDisruptionBudget",
                            "{\"disruptionsAllowed\":0,\"currentHealthy\":0,"
                                    + "\"desiredHealthy\":0,\"expectedPods\":0}");

    private final InstantSource clock;

    Preparation(InstantSource clock) {
        this.clock = clock;
    }

    void forCreate(ResourceType type, ObjectNode object) {
        Meta.remove(object, SYSTEM_FIELDS);
        ObjectNode metadata = Meta.of(object);
        metadata.remove("resourceVersion");
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("creationTimestamp", Meta.timestamp(clock.instant()));
        if (KindRules.countsGenerations(type)) {
            metadata.put("generation", 1);
        }
        // Nodes register themselves together with their status.
        if (type.hasSubresource("status") && !type.kind().equals("Node")) {
            object.remove("status");
            String first = FIRST_STATUS.getOrDefault(type.kind(), "{}");
            object.set(
                    "status",
                    Json.parse(first.getBytes(StandardCharsets.US_ASCII)));
        }
        if (type.kind().equals("Namespace")) {
            prepareNamespace(object);
        } else if (type.kind().equals("Pod")) {
            markGated(object);
        }
    }

    private static void prepareNamespace(ObjectNode namespace) {
        ArrayNode finalizers =
                Json.ensure(namespace, "spec").path("finalizers") instanceof ArrayNode known
                        ? known
                        : Json.ensure(namespace, "spec").putArray("finalizers");
        boolean hasKubernetes = false;
        for (JsonNode finalizer : finalizers) {
            hasKubernetes |= finalizer.asText().equals("kubernetes");
        }
        if (!hasKubernetes) {
            finalizers.add("kubernetes");
        }
        Json.ensure(Meta.of(namespace), "labels")
                .put("kubernetes.io/metadata.name", Meta.name(namespace));
    }

    /// A pod with scheduling gates says from the start why it is not scheduled.
    private static void markGated(ObjectNode pod) {
        if (pod.path("spec").path("schedulingGates").isEmpty()) {
            return;
        }
        Json.ensure(pod, "status")
                .putArray("conditions")
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "False")
                .putNull("lastProbeTime")
                .putNull("lastTransitionTime")
                .put("reason", "SchedulingGated")
                .put(
                        "message",
                        "Scheduling is blocked due to non-empty scheduling gates");
    }

    /// Takes from `object` only what a request to this subresource may change; the rest is as in
    /// `old`.
    void forUpdate(ResourceType type, String subresource, ObjectNode object, ObjectNode old) {
        Meta.copy(old, object, "generation");
        switch (subresource) {
            case "" -> {
                if (type.hasSubresource("status")) {
                    copy(old, object, "status");
                }
                if (type.kind().equals("Namespace")) {
                    // Only the finalize subresource changes the finalizers of the spec.
                    copy(old, object, "spec");
                    Json.ensure(Meta.of(object), "labels")
                            .put("kubernetes.io/metadata.name", Meta.name(object));
                }
                countStep(type, object, old);
            }
            case "status" -> onlyStatus(type, object, old);
            case "ephemeralcontainers" -> {
                JsonNode containers = object.path("spec").get("ephemeralContainers");
                keepAllBut(object, old);
                setOrRemove(Json.ensure(object, "spec"), "ephemeralContainers", containers);
                countStep(type, object, old);
            }
            case "resize" -> {
                onlyResources(object, old);
                countStep(type, object, old);
            }
            case "finalize" -> {
                JsonNode finalizers = object.path("spec").get("finalizers");
                copy(old, object, "status");
                object.set("spec", old.path("spec").deepCopy());
                setOrRemove(Json.ensure(object, "spec"), "finalizers", finalizers);
            }
            default -> throw new IllegalStateException("no rule for subresource " + subresource);
        }
        keepIdentity(object, old);
    }

    private static void onlyStatus(ResourceType type, ObjectNode object, ObjectNode old) {
        List<String> members = old.properties().stream().map(Map.Entry::getKey).toList();
        for (String member : members) {
            if (!member.equals("status") && !member.equals("metadata")) {
                copy(old, object, member);
            }
        }
        object.properties()
                .removeIf(e ->
                        !e.getKey().equals("status")
                                && !e.getKey().equals("metadata")
                                && !old.has(e.getKey()));
        if (type.kind().equals("Pod")) {
            Meta.copy(old, object, "ownerReferences");
            ObjectNode status = Json.ensure(object, "status");
            if (!status.hasNonNull("qosClass")) {
                setOrRemove(status, "qosClass", old.path("status").get("qosClass"));
            }
        } else if (type.kind().equals("ResourceClaim")) {
            object.set("metadata", old.path("metadata").deepCopy());
        }
    }

    private static void keepAllBut(ObjectNode object, ObjectNode old) {
        ObjectNode copy = old.deepCopy();
        // The version that the client started from must survive for the conflict check.
        object.removeAll();
        object.setAll(copy);
    }

    private static void onlyResources(ObjectNode object, ObjectNode old) {
        JsonNode containers = object.path("spec").path("containers").deepCopy();
        JsonNode podResources = object.path("spec").get("resources");
        keepAllBut(object, old);
        int index = 0;
        for (JsonNode container : object.path("spec").path("containers")) {
            JsonNode wanted = containers.path(index++);
            if (container instanceof ObjectNode target && wanted.has("resources")) {
                target.set("resources", wanted.get("resources"));
                if (wanted.has("resizePolicy")) {
                    target.set("resizePolicy", wanted.get("resizePolicy"));
                }
            }
        }
        setOrRemove(Json.ensure(object, "spec"), "resources", podResources);
    }

    private static void countStep(ResourceType type, ObjectNode object, ObjectNode old) {
        if (KindRules.countsGenerations(type)
                && !Objects.equals(object.get("spec"), old.get("spec"))) {
            Meta.bumpGeneration(object);
        }
    }

    private static void keepIdentity(ObjectNode object, ObjectNode old) {
        ObjectNode metadata = Meta.of(object);
        ObjectNode oldMetadata = Meta.of(old);
        if (metadata.path("uid").asText("").isEmpty()) {
            Meta.copy(old, object, "uid");
        }
        Meta.copy(old, object, "creationTimestamp");
        Meta.copy(old, object, "deletionTimestamp");
        if (oldMetadata.has("deletionGracePeriodSeconds")
                || !metadata.has("deletionGracePeriodSeconds")) {
            Meta.copy(old, object, "deletionGracePeriodSeconds");
        } else {
            metadata.remove("deletionGracePeriodSeconds");
        }
        metadata.remove("selfLink");
        if (oldMetadata.has("namespace")) {
            Meta.copy(old, object, "namespace");
        }
    }

    private static void copy(ObjectNode from, ObjectNode to, String member) {
        setOrRemove(to, member, from.get(member));
    }

    private static void setOrRemove(
            ObjectNode object, String member, @Nullable JsonNode value) {
        if (value == null) {
            object.remove(member);
        } else {
            object.set(member, value);
        }
    }
}
