package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.util.Optional;

/// Works out the priority of a new pod from its priority class, as the Priority admission plugin
/// does.
final class PriorityAdmission {
    static final ResourceType CLASSES =
            ResourceTable.find("scheduling.k8s.io", "v1", "priorityclasses").orElseThrow();

    private final Store store;

    PriorityAdmission(Store store) {
        this.store = store;
    }

    void admitNewPod(ResourceType pods, ObjectNode pod) {
        ObjectNode spec = Json.ensure(pod, "spec");
        String className = spec.path("priorityClassName").asText("");
        Optional<ObjectNode> priorityClass =
                className.isEmpty() ? globalDefault() : Optional.of(named(pods, pod, className));
        int priority = priorityClass.map(c -> c.path("value").asInt(0)).orElse(0);
        String policy =
                priorityClass
                        .map(c -> c.path("preemptionPolicy").asText("PreemptLowerPriority"))
                        .orElse("PreemptLowerPriority");

        JsonNode given = spec.path("priority");
        if (given.isNumber() && given.asInt() != priority) {
            throw forbidden(
                    pods,
                    pod,
                    "the integer value of priority ("
                            + given.asText()
                            + ") must not be provided in pod spec; priority admission controller"
                            + " computed "
                            + priority
                            + " from the given PriorityClass name");
        }
        String givenPolicy = spec.path("preemptionPolicy").asText("");
        if (!givenPolicy.isEmpty() && !givenPolicy.equals(policy)) {
            throw forbidden(
                    pods,
                    pod,
                    "the string value of PreemptionPolicy ("
                            + givenPolicy
                            + ") must not be provided in pod spec; priority admission controller"
                            + " computed "
                            + policy
                            + " from the given PriorityClass name");
        }
        priorityClass.ifPresent(c -> spec.put("priorityClassName", Meta.name(c)));
        spec.put("priority", priority);
        spec.put("preemptionPolicy", policy);
    }

    /// An update that leaves the priority out means the one that the pod has.
    static void keepOnUpdate(ObjectNode pod, ObjectNode old) {
        ObjectNode spec = Json.ensure(pod, "spec");
        for (String field : new String[] {"priority", "preemptionPolicy"}) {
            JsonNode known = old.path("spec").get(field);
            if (known != null && !spec.hasNonNull(field)) {
                spec.set(field, known);
            }
        }
    }

    private ObjectNode named(ResourceType pods, ObjectNode pod, String className) {
        return store.get(CLASSES, className)
                .map(StoredObject::tree)
                .orElseThrow(() ->
                        forbidden(
                                pods,
                                pod,
                                "no PriorityClass with name " + className + " was found"));
    }

    /// The class for pods that name none; with several, the one with the lowest value.
    private Optional<ObjectNode> globalDefault() {
        return store.list(CLASSES, "").objects().stream()
                .map(StoredObject::tree)
                .filter(c -> c.path("globalDefault").asBoolean(false))
                .min(java.util.Comparator.comparingInt(c -> c.path("value").asInt(0)));
    }

    private static RuntimeException forbidden(ResourceType pods, ObjectNode pod, String why) {
        return ApiErrors.forbidden(pods, Meta.name(pod), why);
    }
}
