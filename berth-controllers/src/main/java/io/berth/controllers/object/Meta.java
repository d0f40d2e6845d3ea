package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The metadata of an object.
///
/// @param version the resourceVersion, which grows with every write to the cluster
public record Meta(
        String namespace,
        String name,
        String uid,
        long version,
        long generation,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<Owner> owners,
        List<String> finalizers,
        Instant created,
        Optional<Instant> deletion) {

    public static Meta of(JsonNode object) {
        JsonNode tree = object.path("metadata");
        var owners = new ArrayList<Owner>();
        tree.path("ownerReferences").forEach(each -> owners.add(Owner.of(each)));
        var finalizers = new ArrayList<String>();
        tree.path("finalizers").forEach(each -> finalizers.add(each.asText()));
        return new Meta(
                tree.path("namespace").asText(""),
                tree.path("name").asText(""),
                tree.path("uid").asText(""),
                number(tree.path("resourceVersion").asText("0")),
                tree.path("generation").asLong(0),
                texts(tree.path("labels")),
                texts(tree.path("annotations")),
                List.copyOf(owners),
                List.copyOf(finalizers),
                Trees.instant(tree.path("creationTimestamp")).orElse(Instant.EPOCH),
                Trees.instant(tree.path("deletionTimestamp")));
    }

    private static long number(String version) {
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException opaque) {
            return 0;
        }
    }

    /// A map of texts, empty where there is none.
    public static Map<String, String> texts(JsonNode tree) {
        if (tree.isEmpty()) {
            return Map.of();
        }
        var texts = new TreeMap<String, String>();
        tree.properties().forEach(each -> texts.put(each.getKey(), each.getValue().asText()));
        return Map.copyOf(texts);
    }

    /// `namespace/name`, or the name alone where there is no namespace.
    public String key() {
        return key(namespace, name);
    }

    public static String key(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    public boolean isDeleting() {
        return deletion.isPresent();
    }

    /// The owner that manages the object.
    public Optional<Owner> controller() {
        return owners.stream().filter(Owner::controller).findFirst();
    }

    public boolean isControlledBy(Meta owner) {
        return controller().filter(each -> each.uid().equals(owner.uid)).isPresent();
    }

    public String annotation(String name) {
        return annotations.getOrDefault(name, "");
    }
}
