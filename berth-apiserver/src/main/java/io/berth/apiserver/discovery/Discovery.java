package io.berth.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The classic discovery documents, one per path: `/api`, `/api/v1`, `/apis`, `/apis/<group>` and
/// `/apis/<group>/<version>`.
public final class Discovery {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final List<ResourceType> types;

    public Discovery(List<ResourceType> types) {
        this.types = List.copyOf(types);
    }

    /// The document at a path without trailing slash; empty if there is none.
    public Optional<ObjectNode> document(String path) {
        String[] parts = path.substring(path.startsWith("/") ? 1 : 0).split("/", -1);
        return switch (parts[0]) {
            case "api" ->
                    switch (parts.length) {
                        case 1 -> Optional.of(coreVersions());
                        case 2 -> resources("", parts[1]);
                        default -> Optional.empty();
                    };
            case "apis" ->
                    switch (parts.length) {
                        case 1 -> Optional.of(groups());
                        case 2 -> group(parts[1]);
                        case 3 -> resources(parts[1], parts[2]);
                        default -> Optional.empty();
                    };
            default -> Optional.empty();
        };
    }

    /// The answer to `/version`.
    public static ObjectNode version() {
        return NODES.objectNode()
                .put("major", "1")
                .put("minor", "36")
                .put("gitVersion", "v1.36.4+berth")
                .put("gitCommit", "unknown")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put(
                        "platform",
                        "linux/"
                                + (System.getProperty("os.arch", "").contains("aarch")
                                        ? "arm64"
                                        : "amd64"));
    }

    private static ObjectNode coreVersions() {
        ObjectNode document = NODES.objectNode().put("kind", "APIVersions");
        document.putArray("versions").add("v1");
        // Clients fall back to the address they already use.
        document.putArray("serverAddressByClientCIDRs");
        return document;
    }

    private ObjectNode groups() {
        ObjectNode document =
                NODES.objectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = document.putArray("groups");
        byGroup()
                .forEach((group, versions) -> {
                    if (!group.isEmpty()) {
                        groups.add(describe(NODES.objectNode(), group, versions));
                    }
                });
        return document;
    }

    private Optional<ObjectNode> group(String name) {
        List<String> versions = byGroup().get(name);
        if (versions == null || name.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode document = NODES.objectNode().put("kind", "APIGroup").put("apiVersion", "v1");
        return Optional.of(describe(document, name, versions));
    }

    private static ObjectNode describe(ObjectNode node, String group, List<String> versions) {
        node.put("name", group);
        ArrayNode list = node.putArray("versions");
        versions.forEach(version -> describeVersion(list.addObject(), group, version));
        describeVersion(node.putObject("preferredVersion"), group, versions.getFirst());
        return node;
    }

    private static void describeVersion(ObjectNode node, String group, String version) {
        node.put("groupVersion", group + "/" + version).put("version", version);
    }

    /// Versions by group, both in the order of the table; the first version is the preferred one.
    private Map<String, List<String>> byGroup() {
        return types.stream()
                .collect(
                        Collectors.groupingBy(
                                ResourceType::group,
                                java.util.LinkedHashMap::new,
                                Collectors.collectingAndThen(
                                        Collectors.toList(),
                                        list ->
                                                list.stream()
                                                        .map(ResourceType::version)
                                                        .distinct()
                                                        .toList())));
    }

    private Optional<ObjectNode> resources(String group, String version) {
        List<ResourceType> found =
                types.stream()
                        .filter(t -> t.group().equals(group) && t.version().equals(version))
                        .sorted(Comparator.comparing(ResourceType::plural))
                        .toList();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode document =
                NODES.objectNode().put("kind", "APIResourceList").put("apiVersion", "v1");
        document.put("groupVersion", found.getFirst().apiVersion());
        ArrayNode resources = document.putArray("resources");
        for (ResourceType type : found) {
            resource(resources.addObject(), type);
            type.subresources().stream()
                    .sorted(Comparator.comparing(Function.identity()))
                    .forEach(name -> subresource(resources.addObject(), type, name));
        }
        return Optional.of(document);
    }

    private static void resource(ObjectNode node, ResourceType type) {
        node.put("name", type.plural())
                .put("singularName", type.singular())
                .put("namespaced", type.namespaced())
                .put("kind", type.kind());
        addAll(node, "verbs", Verbs.of(type));
        addAll(node, "shortNames", type.shortNames());
        addAll(node, "categories", type.categories());
        node.put("storageVersionHash", storageVersionHash(type));
    }

    private static void subresource(ObjectNode node, ResourceType type, String name) {
        Verbs.KindName kind = Verbs.kind(type, name);
        node.put("name", type.plural() + "/" + name)
                .put("singularName", "")
                .put("namespaced", type.namespaced());
        if (!kind.group().equals(type.group())) {
            node.put("group", kind.group()).put("version", kind.version());
        }
        node.put("kind", kind.kind());
        addAll(node, "verbs", Verbs.of(name));
    }

    /// Adds a list, or nothing if it is empty.
    static void addAll(ObjectNode node, String name, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(node.withArray(name)::add);
        }
    }

    /// Tells clients which version an object is stored in, without saying it.
    private static String storageVersionHash(ResourceType type) {
        // Events are stored once and served in two groups.
        String group = type.builtInKind().equals("Event") ? "" : type.group();
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(
                                    (group + "/" + type.version() + "/" + type.kind())
                                            .getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
