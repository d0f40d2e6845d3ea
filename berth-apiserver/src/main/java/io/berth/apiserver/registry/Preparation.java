package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.Admission;
import io.berth.apiserver.admission.FieldError;
import io.berth.apiserver.admission.Refusal;
import io.berth.apiserver.admission.Validation;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.patch.ManagedFields;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status;
import io.berth.apiserver.status.Status.Cause;
import io.berth.apiserver.status.Status.Details;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes what a client sent into what will be stored: the server's own part of metadata, the part
/// of an object that a subresource may change, then admission and validation.
final class Preparation {
    /// Members of metadata that clients never set.
    private static final List<String> SYSTEM_FIELDS =
            List.of(
                    "uid",
                    "resourceVersion",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "selfLink",
                    "generation");

    private final Admission admission;
    private final InstantSource clock;
    private final boolean trackFields;

    Preparation(Admission admission, InstantSource clock, boolean trackFields) {
        this.admission = admission;
        this.clock = clock;
        this.trackFields = trackFields;
    }

    /// The object to store for a new object; uses up the given tree.
    ObjectNode forCreate(ResourceType type, ObjectNode object, WriteOptions options) {
        Meta.remove(object, SYSTEM_FIELDS);
        Meta.of(object)
                .put("uid", UUID.randomUUID().toString())
                .put("creationTimestamp", Meta.timestamp(clock.instant()));
        if (type.equals(NamespaceGuard.NAMESPACES)) {
            labelNamespace(object);
        }
        String name = Meta.name(object);
        try {
            ObjectNode tracked = tracked(type, "", Optional.empty(), object, options);
            ObjectNode admitted = Json.normalized(admission.create(type, tracked));
            ZeroFields.fill(type, admitted);
            check(type, name, Validation.create(type, admitted));
            return admitted;
        } catch (Refusal refusal) {
            throw failure(type, name, refusal);
        }
    }

    /// The object to store for a change; uses up the given tree.
    ///
    /// @param object the wanted state, of which a subresource takes its own part only
    ObjectNode forUpdate(Target target, ObjectNode object, ObjectNode old, WriteOptions options) {
        ResourceType type = target.type();
        String subresource = target.subresource();
        takePart(type, subresource, object, old);
        keepIdentity(object, old);
        String name = Meta.name(old);
        try {
            ObjectNode tracked = tracked(type, subresource, Optional.of(old), object, options);
            ObjectNode admitted =
                    Json.normalized(admission.update(type, subresource, old, tracked));
            ZeroFields.fill(type, admitted);
            check(type, name, Validation.update(type, subresource, old, admitted));
            return admitted;
        } catch (Refusal refusal) {
            throw failure(type, name, refusal);
        }
    }

    /// Records who wrote which fields, on the object with its defaults but without what admission
    /// adds.
    private ObjectNode tracked(
            ResourceType type,
            String subresource,
            Optional<ObjectNode> old,
            ObjectNode object,
            WriteOptions options) {
        // An object that has no record does not get one by a mere change, as upstream has it.
        boolean unrecorded =
                old.map(o -> o.path("metadata").path("managedFields").isEmpty()).orElse(false);
        if (!options.tracked() || !trackFields || unrecorded) {
            return object;
        }
        ObjectNode defaulted = Admission.defaulted(type, object);
        ZeroFields.fill(type, defaulted);
        return ManagedFields.afterUpdate(
                type, subresource, old, defaulted, options.fieldManager(), clock.instant());
    }

    private static void check(ResourceType type, String name, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw Refusal.invalid(type, name, errors);
        }
    }

    static ApiException failure(ResourceType type, String name, Refusal refusal) {
        Status status = Status.failure(refusal.status(), refusal.reason(), refusal.text());
        return new ApiException(
                switch (refusal.status()) {
                    case 403 -> status.with(Details.of(type.group(), type.plural(), name));
                    case 422 ->
                            status.with(
                                    new Details(
                                            name,
                                            type.group(),
                                            type.kind(),
                                            "",
                                            causes(refusal.errors()),
                                            0));
                    default -> status;
                });
    }

    private static List<Cause> causes(List<FieldError> errors) {
        return errors.stream()
                .map(e -> new Cause(e.reason().code(), e.message(), e.field()))
                .toList();
    }

    private static void takePart(
            ResourceType type, String subresource, ObjectNode object, ObjectNode old) {
        switch (subresource) {
            case "" -> {
                if (type.equals(NamespaceGuard.NAMESPACES)) {
                    // Only the finalize subresource changes the finalizers of the spec.
                    setOrRemove(object, "spec", old.path("spec").deepCopy());
                    labelNamespace(object);
                }
            }
            case "status" -> {
                if (type.builtInKind().equals("ResourceClaim")) {
                    object.set("metadata", old.path("metadata").deepCopy());
                }
            }
            case "ephemeralcontainers" -> {
                JsonNode containers = object.path("spec").get("ephemeralContainers");
                becomeCopy(object, old);
                setOrRemove(Json.ensure(object, "spec"), "ephemeralContainers", containers);
            }
            case "resize" -> takeResources(object, old);
            case "scale" -> {
                JsonNode replicas = object.path("spec").get("replicas");
                becomeCopy(object, old);
                setOrRemove(Json.ensure(object, "spec"), "replicas", replicas);
            }
            case "finalize" -> {
                JsonNode finalizers = object.path("spec").get("finalizers");
                becomeCopy(object, old);
                setOrRemove(Json.ensure(object, "spec"), "finalizers", finalizers);
            }
            default -> throw new IllegalStateException("no rule for subresource " + subresource);
        }
    }

    private static void takeResources(ObjectNode object, ObjectNode old) {
        JsonNode containers = object.path("spec").path("containers").deepCopy();
        JsonNode podResources = object.path("spec").get("resources");
        becomeCopy(object, old);
        int index = 0;
        for (JsonNode container : object.path("spec").path("containers")) {
            JsonNode wanted = containers.path(index++);
            if (container instanceof ObjectNode target) {
                setOrRemove(target, "resources", wanted.get("resources"));
                if (wanted.has("resizePolicy")) {
                    target.set("resizePolicy", wanted.get("resizePolicy"));
                }
            }
        }
        setOrRemove(Json.ensure(object, "spec"), "resources", podResources);
    }

    private static void becomeCopy(ObjectNode object, ObjectNode old) {
        object.removeAll();
        object.setAll(old.deepCopy());
    }

    private static void labelNamespace(ObjectNode namespace) {
        Json.ensure(Meta.of(namespace), "labels")
                .put("kubernetes.io/metadata.name", Meta.name(namespace));
    }

    /// No request changes who an object is, how old it is, or takes back its deletion.
    private static void keepIdentity(ObjectNode object, ObjectNode old) {
        ObjectNode metadata = Meta.of(object);
        if (metadata.path("uid").asText("").isEmpty()) {
            Meta.copy(old, object, "uid");
        }
        for (String field :
                List.of(
                        "resourceVersion",
                        "generation",
                        "creationTimestamp",
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds",
                        "namespace")) {
            Meta.copy(old, object, field);
        }
        metadata.remove("selfLink");
    }

    private static void setOrRemove(ObjectNode object, String member, @Nullable JsonNode value) {
        if (value == null || value.isMissingNode()) {
            object.remove(member);
        } else {
            object.set(member, value);
        }
    }
}
