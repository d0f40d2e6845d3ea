package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.Decoder;
import io.berth.apiserver.admission.Refusal;
import io.berth.apiserver.patch.ManagedFields.Owner;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.SchemaCatalog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Server-side apply: the client sends the fields it has an opinion about, and the server merges
/// them, remembers them as the client's, removes those that the client no longer sends, and refuses
/// to take fields from other managers unless forced.
public final class ServerSideApply {
    private ServerSideApply() {}

    /// What came of an apply request.
    public sealed interface Outcome {
        /// The object changed; it still has to be defaulted, admitted and stored.
        record Applied(ObjectNode object) implements Outcome {}

        /// Everything is as the client wants it already.
        record Unchanged() implements Outcome {}

        /// Others own fields that the client would change: a 409 with reason `Conflict`.
        record Conflicted(String message, List<Cause> causes) implements Outcome {
            public Conflicted {
                causes = List.copyOf(causes);
            }
        }
    }

    /// A cause with reason `FieldManagerConflict`.
    ///
    /// @param field the path, such as `.spec.replicas`
    public record Cause(String field, String message) {}

    /// Who applies, and whether fields of others may be taken.
    public record Applier(String manager, boolean force) {}

    /// Applies a configuration, which is a part of an object of this type.
    ///
    /// @param subresource empty for the resource itself
    /// @param live what is stored; empty if the request creates the object
    /// @throws PatchException if the configuration is malformed
    public static Outcome apply(
            ResourceType type,
            String subresource,
            Optional<ObjectNode> live,
            JsonNode configuration,
            Applier applier,
            Instant now) {
        if (applier.manager.isEmpty()) {
            throw PatchException.unprocessable(
                    "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is"
                            + " required for apply patch");
        }
        ObjectNode config = check(type, configuration);
        var typed = TypedFields.of(SchemaCatalog.of(type));
        JsonNode before =
                live.<JsonNode>map(object -> object)
                        .orElseGet(JsonNodeFactory.instance::objectNode);
        ManagedFields managed = ManagedFields.of(before);
        Owner own = Owner.apply(type, applier.manager, subresource);
        FieldSet last = managed.fields(own);
        FieldSet wanted =
                places(typed, type, config)
                        .minusTrees(ManagedFields.neverOwned())
                        .minusTrees(ManagedFields.ignored(type, subresource));
        managed.put(own, wanted, now);

        ObjectNode merged = (ObjectNode) typed.merge(before, config);
        prune(typed, merged, last, managed.all());
        var difference = typed.compare(before, merged);
        List<Conflict> conflicts = conflicts(managed, own, difference.changed());
        if (!conflicts.isEmpty() && !applier.force) {
            return conflicted(conflicts);
        }
        managed.takeFromOthers(own, difference.changed(), now);
        managed.dropRemoved(difference.removed(), now);
        // What the client sends is its own, even where it removed a parent before.
        managed.put(own, wanted, now);
        ObjectNode result = managed.writeTo(merged);
        return live.isPresent() && Json.same(live.get(), result)
                ? new Outcome.Unchanged()
                : new Outcome.Applied(result);
    }

    private static ObjectNode check(ResourceType type, JsonNode configuration) {
        String apiVersion = configuration.path("apiVersion").asText("");
        String kind = configuration.path("kind").asText("");
        if (!apiVersion.equals(type.apiVersion()) || !kind.equals(type.kind())) {
            String shown = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
            throw PatchException.badRequest("invalid object type: " + shown + ", Kind=" + kind);
        }
        JsonNode metadata = configuration.path("metadata");
        if (!metadata.path("managedFields").isEmpty()) {
            throw PatchException.badRequest("metadata.managedFields must be nil");
        }
        try {
            var decoded = Decoder.decode(type, configuration);
            for (String error : decoded.strictErrors()) {
                // `unknown field "spec.foo"`
                String path = error.substring(error.indexOf('"') + 1, error.length() - 1);
                throw untyped(type, metadata, "." + path + ": field not declared in schema");
            }
            return decoded.object();
        } catch (Refusal e) {
            throw untyped(type, metadata, e.text());
        }
    }

    /// A real server answers 500 here; the mistake is the client's, so this one says 400.
    private static PatchException untyped(ResourceType type, JsonNode metadata, String problem) {
        return PatchException.badRequest(
                "failed to create typed patch object (%s/%s; %s/%s, Kind=%s): %s"
                        .formatted(
                                metadata.path("namespace").asText(""),
                                metadata.path("name").asText(""),
                                type.group(),
                                type.version(),
                                type.kind(),
                                problem));
    }

    private static FieldSet places(TypedFields typed, ResourceType type, ObjectNode config) {
        try {
            return typed.places(config);
        } catch (PatchException e) {
            throw untyped(type, config.path("metadata"), e.text());
        }
    }

    /// Takes out what the manager applied last time, does not apply now, and nobody else owns.
    private static void prune(TypedFields typed, ObjectNode merged, FieldSet last, FieldSet owned) {
        for (List<String> path : last.paths()) {
            if (!owned.reaches(path)) {
                typed.remove(merged, path, owned);
            }
        }
    }

    private record Conflict(Owner owner, List<String> path) {}

    private static List<Conflict> conflicts(ManagedFields managed, Owner own, FieldSet changed) {
        var conflicts = new ArrayList<Conflict>();
        managed.entries()
                .forEach((owner, entry) -> {
                    if (!owner.equals(own)) {
                        entry.fields()
                                .intersection(changed)
                                .paths()
                                .forEach(path -> conflicts.add(new Conflict(owner, path)));
                    }
                });
        return conflicts;
    }

    private static Outcome conflicted(List<Conflict> conflicts) {
        var causes =
                conflicts.stream()
                        .map(c ->
                                new Cause(
                                        FieldPaths.text(c.path),
                                        "conflict with " + describe(c.owner)))
                        .toList();
        if (conflicts.size() == 1) {
            return new Outcome.Conflicted(
                    "Apply failed with 1 conflict: %s: %s"
                            .formatted(causes.getFirst().message, causes.getFirst().field),
                    causes);
        }
        Map<String, List<String>> byOwner = new TreeMap<>();
        for (Conflict conflict : conflicts) {
            byOwner.computeIfAbsent(describe(conflict.owner), key -> new ArrayList<>())
                    .add("- " + FieldPaths.text(conflict.path));
        }
        var lines = new ArrayList<String>();
        byOwner.forEach((owner, paths) -> {
            lines.add("conflicts with " + owner + ":");
            lines.addAll(paths);
        });
        return new Outcome.Conflicted(
                "Apply failed with %d conflicts: %s"
                        .formatted(conflicts.size(), String.join("\n", lines)),
                causes);
    }

    private static String describe(Owner owner) {
        String text = "\"" + owner.manager() + "\"";
        if (!owner.subresource().isEmpty()) {
            text += " with subresource \"" + owner.subresource() + "\"";
        }
        return owner.operation().equals("Update") ? text + " using " + owner.apiVersion() : text;
    }
}
