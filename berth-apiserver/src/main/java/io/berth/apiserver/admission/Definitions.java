package io.berth.apiserver.admission;

import static io.berth.apiserver.admission.Nodes.child;
import static io.berth.apiserver.admission.Nodes.fill;
import static io.berth.apiserver.admission.Nodes.list;
import static io.berth.apiserver.admission.Nodes.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/// Definitions of custom kinds: what the server adds to them, and what they must say.
///
/// The real server accepts names and establishes a kind a moment after its definition came; here it
/// is served at once. Schemas are kept, but objects are not held to them.
public final class Definitions {
    /// Keeps a definition until the objects of its kind are gone.
    public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private Definitions() {}

    static void defaults(ObjectNode definition) {
        ObjectNode names = child(child(definition, "spec"), "names");
        String kind = names.path("kind").asText("");
        fill(names, "singular", kind.toLowerCase(Locale.ROOT));
        fill(names, "listKind", kind + "List");
        fill(child(child(definition, "spec"), "conversion"), "strategy", "None");
    }

    static void established(ObjectNode definition, String now) {
        list(child(definition, "metadata"), "finalizers").removeAll().add(FINALIZER);
        ObjectNode status = definition.putObject("status");
        condition(status, "NamesAccepted", "NoConflicts", "no conflicts found", now);
        condition(
                status,
                "Established",
                "InitialNamesAccepted",
                "the initial names have been accepted",
                now);
        accepted(definition);
        list(status, "storedVersions").add(storageVersion(definition));
    }

    /// What may change of the names is accepted as it comes.
    static void accepted(ObjectNode definition) {
        child(definition, "status")
                .set("acceptedNames", definition.path("spec").path("names").deepCopy());
    }

    private static void condition(
            ObjectNode status, String type, String reason, String message, String now) {
        list(status, "conditions")
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", now)
                .put("reason", reason)
                .put("message", message);
    }

    static void check(ObjectNode definition, Problems problems) {
        JsonNode spec = definition.path("spec");
        String group = spec.path("group").asText("");
        String plural = spec.path("names").path("plural").asText("");
        String name = Nodes.name(definition);
        if (!name.equals(plural + "." + group)) {
            problems.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
        }
        if (group.isEmpty()) {
            problems.required("spec.group", "");
        } else if (!group.contains(".")) {
            problems.invalid("spec.group", group, "should be a domain with at least one dot");
        } else {
            problems.invalid("spec.group", group, Names.dnsSubdomain(group));
        }
        scope(spec, problems);
        versions(spec, problems);
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            String value = spec.path("names").path(field).asText("");
            if (value.isEmpty()) {
                problems.required("spec.names." + field, "");
            } else {
                problems.invalid(
                        "spec.names." + field,
                        value,
                        Names.letterLabel(value.toLowerCase(Locale.ROOT)));
            }
        }
    }

    private static void scope(JsonNode spec, Problems problems) {
        String scope = spec.path("scope").asText("");
        if (scope.isEmpty()) {
            problems.required("spec.scope", "");
        } else if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
            problems.notSupported("spec.scope", scope, "Cluster", "Namespaced");
        }
    }

    private static void versions(JsonNode spec, Problems problems) {
        List<ObjectNode> versions = objects(spec, "versions");
        for (int i = 0; i < versions.size(); i++) {
            String path = "spec.versions[" + i + "].";
            String version = versions.get(i).path("name").asText("");
            problems.invalid(path + "name", version, Names.letterLabel(version));
            if (!versions.get(i).path("schema").has("openAPIV3Schema")) {
                problems.required(path + "schema.openAPIV3Schema", "schemas are required");
            }
        }
        long stored = versions.stream().filter(v -> v.path("storage").asBoolean()).count();
        if (stored != 1) {
            problems.invalid(
                    "spec.versions",
                    spec.path("versions"),
                    "must have exactly one version marked as storage version");
        }
    }

    static void checkChange(ObjectNode old, ObjectNode definition, Problems problems) {
        JsonNode before = old.path("spec");
        JsonNode now = definition.path("spec");
        Validation.immutable(before, now, "spec.", "group", problems);
        Validation.immutable(before, now, "spec.", "scope", problems);
        for (String field : List.of("plural", "kind")) {
            Validation.immutable(
                    before.path("names"), now.path("names"), "spec.names.", field, problems);
        }
        if (!storageVersion(old).equals(storageVersion(definition))) {
            problems.forbidden(
                    "spec.versions",
                    "this server does not convert objects, so the storage version cannot change");
        }
    }

    private static String storageVersion(ObjectNode definition) {
        return objects(definition.path("spec"), "versions").stream()
                .filter(version -> version.path("storage").asBoolean())
                .map(version -> version.path("name").asText(""))
                .findFirst()
                .orElse("");
    }
}
