package io.berth.apiserver.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The OpenAPI documents: the v3 index, one v3 document for each group and version, and one v2
/// document for everything.
///
/// kubectl since 1.27 reads v3 for `explain`, for the merge keys of `apply`, and to learn that the
/// server validates fields. v2 is asked for by kubectl as protobuf, for kinds that v3 does not
/// have. This server has it as JSON, with the same kinds, so whoever asks for protobuf gets a
/// document that names none: kubectl then says which kind is unknown.
///
/// Thread-safe; documents are made when first asked for and then kept.
public final class OpenApi {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final List<ResourceType> types;
    private final Map<String, ObjectNode> documents = new LinkedHashMap<>();

    public OpenApi(List<ResourceType> types) {
        this.types = List.copyOf(types);
    }

    /// The document at a path such as `/openapi/v3`, `/openapi/v3/apis/apps/v1` or `/openapi/v2`;
    /// empty if there is none.
    public synchronized Optional<ObjectNode> document(String path) {
        ObjectNode known = documents.get(path);
        if (known == null) {
            known = make(path);
            if (known != null) {
                documents.put(path, known);
            }
        }
        return Optional.ofNullable(known);
    }

    private @Nullable ObjectNode make(String path) {
        if (path.equals("/openapi/v2")) {
            return v2();
        }
        if (path.equals("/openapi/v3")) {
            return index();
        }
        for (ResourceType type : types) {
            if (path.equals("/openapi/v3/" + root(type))) {
                return v3(type.group(), type.version());
            }
        }
        return null;
    }

    private ObjectNode index() {
        ObjectNode index = NODES.objectNode();
        ObjectNode paths = index.putObject("paths");
        for (ResourceType type : types) {
            String root = root(type);
            if (!paths.has(root)) {
                ObjectNode document = document("/openapi/v3/" + root).orElseThrow();
                paths.putObject(root)
                        .put(
                                "serverRelativeURL",
                                "/openapi/v3/" + root + "?hash=" + hash(document.toString()));
            }
        }
        return index;
    }

    private ObjectNode v3(String group, String version) {
        var schemas = new OpenApiSchemas("#/components/schemas/", true);
        var paths = new OpenApiPaths(schemas, true);
        fill(schemas, paths, group, version);
        ObjectNode document = NODES.objectNode().put("openapi", "3.0.0");
        document.set("info", info());
        document.set("paths", paths.paths());
        ObjectNode components = document.putObject("components").putObject("schemas");
        schemas.schemas().forEach(components::set);
        return document;
    }

    private ObjectNode v2() {
        var schemas = new OpenApiSchemas("#/definitions/", false);
        var paths = new OpenApiPaths(schemas, false);
        types.stream()
                .map(type -> List.of(type.group(), type.version()))
                .distinct()
                .forEach(pair -> fill(schemas, paths, pair.get(0), pair.get(1)));
        ObjectNode document = NODES.objectNode().put("swagger", "2.0");
        document.set("info", info());
        document.set("paths", paths.paths());
        ObjectNode definitions = document.putObject("definitions");
        schemas.schemas().forEach(definitions::set);
        return document;
    }

    private void fill(OpenApiSchemas schemas, OpenApiPaths paths, String group, String version) {
        schemas.addStruct("meta.v1.Status");
        schemas.addStruct("meta.v1.DeleteOptions");
        for (ResourceType type : types) {
            if (type.group().equals(group) && type.version().equals(version)) {
                schemas.addKind(type);
                paths.add(type);
            }
        }
    }

    private static ObjectNode info() {
        return NODES.objectNode().put("title", "Kubernetes").put("version", "v1.36.4+berth");
    }

    private static String root(ResourceType type) {
        return type.group().isEmpty() ? "api/" + type.version() : "apis/" + type.apiVersion();
    }

    private static String hash(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
