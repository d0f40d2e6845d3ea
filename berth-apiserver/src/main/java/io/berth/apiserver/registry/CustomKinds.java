package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.resource.ServedTypes;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The kinds that definitions in the store add to those of the table.
///
/// Called by many request threads. Definitions are read once, and again when one of them changed;
/// two threads that read them at the same time come to the same result.
public final class CustomKinds implements ServedTypes {
    static final ResourceType DEFINITIONS =
            ResourceTable.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                    .orElseThrow();

    private final Store store;
    private volatile Known known = new Known(List.of(), List.of(), ResourceTable.ALL);

    CustomKinds(Store store) {
        this.store = store;
    }

    /// A definition and what it makes.
    ///
    /// @param kind empty if its storage version is not served
    record Definition(String name, boolean deleting, Optional<ResourceType> kind) {}

    private record Known(
            List<StoredObject> source, List<Definition> definitions, List<ResourceType> types) {}

    @Override
    public List<ResourceType> all() {
        return known().types;
    }

    List<Definition> definitions() {
        return known().definitions;
    }

    private Known known() {
        List<StoredObject> source = store.list(DEFINITIONS, "").objects();
        Known last = known;
        if (source.equals(last.source)) {
            return last;
        }
        List<Definition> definitions = source.stream().map(CustomKinds::read).toList();
        var types = new ArrayList<>(ResourceTable.ALL);
        definitions.forEach(definition -> definition.kind().ifPresent(types::add));
        var next = new Known(source, definitions, List.copyOf(types));
        known = next;
        return next;
    }

    private static Definition read(StoredObject stored) {
        ObjectNode definition = stored.tree();
        JsonNode spec = definition.path("spec");
        Optional<ResourceType> kind =
                elements(spec.path("versions"))
                        .filter(version -> version.path("storage").asBoolean())
                        .filter(version -> version.path("served").asBoolean())
                        .map(version -> type(spec, version))
                        .findFirst();
        return new Definition(stored.name(), Meta.isDeleting(definition), kind);
    }

    private static ResourceType type(JsonNode spec, JsonNode version) {
        JsonNode names = spec.path("names");
        return new ResourceType(
                spec.path("group").asText(),
                version.path("name").asText(),
                names.path("kind").asText(),
                names.path("plural").asText(),
                names.path("singular").asText(),
                spec.path("scope").asText().equals("Namespaced"),
                texts(names.path("shortNames")),
                texts(names.path("categories")),
                version.path("subresources").has("status") ? List.of("status") : List.of(),
                true);
    }

    private static List<String> texts(JsonNode list) {
        return elements(list).map(JsonNode::asText).toList();
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
