package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status;
import io.berth.apiserver.status.Status.Cause;
import io.berth.apiserver.store.Draft;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Gives a pod its node, once.
public final class PodBinding {
    static final ResourceType PODS = ResourceTable.find("", "v1", "pods").orElseThrow();
    private static final int MAX_ATTEMPTS = 200;

    private final Registry registry;
    private final InstantSource clock;

    public PodBinding(Registry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    public void bind(String namespace, String name, ObjectNode binding, WriteOptions options) {
        checkTarget(binding.path("target"));
        Store store = registry.store();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            StoredObject current = registry.get(PODS, namespace, name);
            checkPreconditions(current, binding);
            ObjectNode pod = current.tree();
            checkBindable(pod);
            assign(pod, binding);
            Draft draft = Draft.of(PODS, pod);
            Optional<StoredObject> stored =
                    options.dryRun() ? Optional.of(current) : store.replace(current, draft);
            if (stored.isPresent()) {
                return;
            }
        }
        throw ApiErrors.conflict(PODS, name, ApiErrors.MODIFIED);
    }

    private static void checkTarget(JsonNode target) {
        var problems = new ArrayList<Cause>();
        String kind = target.path("kind").asText("");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            problems.add(
                    new Cause(
                            "FieldValueNotSupported",
                            "Unsupported value: \""
                                    + kind
                                    + "\": supported values: \"Node\", \"<empty>\"",
                            "target.kind"));
        }
        if (target.path("name").asText("").isEmpty()) {
            problems.add(new Cause("FieldValueRequired", "Required value", "target.name"));
        }
        if (!problems.isEmpty()) {
            List<String> texts =
                    problems.stream().map(p -> p.field() + ": " + p.message()).toList();
            String message =
                    texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
            // Upstream returns these as a bare error, which its writer turns into a 500.
            throw new ApiException(Status.failure(500, "", message));
        }
    }

    private static void checkPreconditions(StoredObject current, ObjectNode binding) {
        String uid = Meta.uid(binding);
        if (!uid.isEmpty() && !uid.equals(current.uid())) {
            throw ApiErrors.conflict(PODS, current.name(), Preconditions.uidMessage(current, uid));
        }
        String version = Meta.resourceVersion(binding);
        if (!version.isEmpty() && !version.equals(Long.toString(current.revision()))) {
            throw ApiErrors.conflict(
                    PODS, current.name(), Preconditions.versionMessage(current, version));
        }
    }

    private static void checkBindable(ObjectNode pod) {
        String name = Meta.name(pod);
        String node = pod.path("spec").path("nodeName").asText("");
        if (Meta.isDeleting(pod)) {
            throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        if (!node.isEmpty()) {
            throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
    }

    private static RuntimeException conflict(String name, String why) {
        return ApiErrors.conflict("", "pods/binding", name, why);
    }

    private void assign(ObjectNode pod, ObjectNode binding) {
        Json.ensure(pod, "spec").put("nodeName", binding.path("target").path("name").asText());
        ObjectNode status = Json.ensure(pod, "status");
        status.remove("nominatedNodeName");
        for (String map : new String[] {"annotations", "labels"}) {
            JsonNode more = binding.path("metadata").path(map);
            if (!more.isEmpty()) {
                ObjectNode target = Json.ensure(Meta.of(pod), map);
                more.properties().forEach(e -> target.set(e.getKey(), e.getValue()));
            }
        }
        PodConditions.set(status, "PodScheduled", "True", "", "", Meta.timestamp(clock.instant()));
    }
}
