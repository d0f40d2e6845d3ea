package io.berth.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Discovery in one go: all groups, versions and resources in an `APIGroupDiscoveryList`. Clients
/// ask for it at `/api` and `/apis` with an Accept header such as
/// `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`.
public final class AggregatedDiscovery {
    /// The versions of the document itself, best first.
    public static final List<String> VERSIONS = List.of("v2", "v2beta1");

    private final List<ResourceType> types;

    public AggregatedDiscovery(List<ResourceType> types) {
        this.types = List.copyOf(types);
    }

    /// The Content-Type of the document.
    public static String contentType(String version) {
        return "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
    }

    /// The document at `/api` or `/apis`; empty for other paths.
    ///
    /// @param version one of [#VERSIONS]
    public Optional<ObjectNode> document(String path, String version) {
        boolean core = path.equals("/api");
        if (!core && !path.equals("/apis")) {
            return Optional.empty();
        }
        ObjectNode document =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", "APIGroupDiscoveryList")
                        .put("apiVersion", "apidiscovery.k8s.io/" + version);
        document.putObject("metadata");
        ArrayNode items = document.putArray("items");
        var groups = new LinkedHashSet<String>();
        types.forEach(type -> groups.add(type.group()));
        for (String group : groups) {
            if (group.isEmpty() == core) {
                group(items.addObject(), group);
            }
        }
        return Optional.of(document);
    }

    private void group(ObjectNode item, String group) {
        ObjectNode metadata = item.putObject("metadata");
        if (!group.isEmpty()) {
            metadata.put("name", group);
        }
        ArrayNode versions = item.putArray("versions");
        var names = new LinkedHashSet<String>();
        types.stream().filter(t -> t.group().equals(group)).forEach(t -> names.add(t.version()));
        for (String name : names) {
            ObjectNode version = versions.addObject().put("version", name);
            ArrayNode resources = version.putArray("resources");
            types.stream()
                    .filter(t -> t.group().equals(group) && t.version().equals(name))
                    .sorted(Comparator.comparing(ResourceType::plural))
                    .forEach(type -> resource(resources.addObject(), type));
            version.put("freshness", "Current");
        }
    }

    private static void resource(ObjectNode node, ResourceType type) {
        node.put("resource", type.plural());
        responseKind(node, type, new Verbs.KindName(type.group(), type.version(), type.kind()));
        node.put("scope", type.namespaced() ? "Namespaced" : "Cluster")
                .put("singularResource", type.singular());
        Discovery.addAll(node, "verbs", Verbs.of(type));
        Discovery.addAll(node, "shortNames", type.shortNames());
        Discovery.addAll(node, "categories", type.categories());
        for (String name : type.subresources().stream().sorted().toList()) {
            ObjectNode subresource =
                    node.withArray("subresources").addObject().put("subresource", name);
            responseKind(subresource, type, Verbs.kind(type, name));
            Discovery.addAll(subresource, "verbs", Verbs.of(name));
        }
    }

    /// Group and version are left empty where they are those of the resource, as upstream does.
    private static void responseKind(ObjectNode node, ResourceType type, Verbs.KindName kind) {
        boolean own = kind.group().equals(type.group());
        node.putObject("responseKind")
                .put("group", own ? "" : kind.group())
                .put("version", own ? "" : kind.version())
                .put("kind", kind.kind());
    }
}
