package io.berth.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.SchemaCatalog;
import java.util.List;

/// The paths of OpenAPI documents. kubectl looks here for the query parameters `dryRun` and
/// `fieldValidation` of a kind's patch operation before it uses them.
final class OpenApiPaths {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> PATCH_TYPES =
            List.of(
                    "application/json-patch+json",
                    "application/merge-patch+json",
                    "application/strategic-merge-patch+json",
                    "application/apply-patch+yaml");
    private static final List<String> WRITE_PARAMETERS =
            List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> LIST_PARAMETERS =
            List.of(
                    "allowWatchBookmarks",
                    "continue",
                    "fieldSelector",
                    "labelSelector",
                    "limit",
                    "resourceVersion",
                    "resourceVersionMatch",
                    "sendInitialEvents",
                    "timeoutSeconds",
                    "watch");
    private static final List<String> DELETE_PARAMETERS =
            List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy");

    private final OpenApiSchemas schemas;
    private final boolean v3;
    private final ObjectNode paths = NODES.objectNode();

    OpenApiPaths(OpenApiSchemas schemas, boolean v3) {
        this.schemas = schemas;
        this.v3 = v3;
    }

    ObjectNode paths() {
        return paths;
    }

    void add(ResourceType type) {
        String root =
                type.group().isEmpty() ? "/api/" + type.version() : "/apis/" + type.apiVersion();
        String collection =
                root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        var kind = new Verbs.KindName(type.group(), type.version(), type.kind());
        String list = type.kind() + "List";

        ObjectNode many = path(collection, type.namespaced(), false);
        operation(many, "get", "list", kind, list, LIST_PARAMETERS);
        operation(many, "post", "post", kind, type.kind(), WRITE_PARAMETERS);
        if (Verbs.of(type).contains("deletecollection")) {
            operation(many, "delete", "deletecollection", kind, "Status", DELETE_PARAMETERS);
        }
        if (type.namespaced()) {
            ObjectNode everywhere = path(root + "/" + type.plural(), false, false);
            operation(everywhere, "get", "list", kind, list, LIST_PARAMETERS);
        }
        ObjectNode one = path(collection + "/{name}", type.namespaced(), true);
        operation(one, "get", "get", kind, type.kind(), List.of());
        operation(one, "put", "put", kind, type.kind(), WRITE_PARAMETERS);
        patch(one, kind, type.kind());
        operation(one, "delete", "delete", kind, "Status", DELETE_PARAMETERS);
        for (String name : type.subresources()) {
            subresource(type, name, collection + "/{name}/" + name);
        }
    }

    private void subresource(ResourceType type, String name, String path) {
        Verbs.KindName kind = Verbs.kind(type, name);
        ObjectNode node = path(path, type.namespaced(), true);
        for (String verb : Verbs.of(name)) {
            switch (verb) {
                case "get" -> operation(node, "get", "get", kind, kind.kind(), List.of());
                case "create" ->
                        operation(node, "post", "post", kind, kind.kind(), WRITE_PARAMETERS);
                case "update" -> operation(node, "put", "put", kind, kind.kind(), WRITE_PARAMETERS);
                case "patch" -> patch(node, kind, kind.kind());
                default -> throw new IllegalStateException("no operation for verb " + verb);
            }
        }
    }

    private ObjectNode path(String path, boolean namespaced, boolean named) {
        ObjectNode node = paths.putObject(path);
        ArrayNode parameters = node.putArray("parameters");
        if (named) {
            parameter(parameters, "name", "path");
        }
        if (namespaced) {
            parameter(parameters, "namespace", "path");
        }
        parameter(parameters, "pretty", "query");
        return node;
    }

    private void patch(ObjectNode path, Verbs.KindName kind, String answer) {
        ObjectNode operation = operation(path, "patch", "patch", kind, answer, WRITE_PARAMETERS);
        parameter((ArrayNode) operation.path("parameters"), "force", "query");
        if (v3) {
            ObjectNode content = operation.putObject("requestBody").putObject("content");
            PATCH_TYPES.forEach(
                    type -> content.putObject(type).putObject("schema").put("type", "object"));
        } else {
            PATCH_TYPES.forEach(operation.putArray("consumes")::add);
        }
    }

    private ObjectNode operation(
            ObjectNode path,
            String method,
            String action,
            Verbs.KindName kind,
            String answer,
            List<String> parameters) {
        ObjectNode operation = path.putObject(method);
        ArrayNode list = operation.putArray("parameters");
        parameters.forEach(name -> parameter(list, name, "query"));
        if (method.equals("post") || method.equals("put")) {
            body(operation, list, schemaOf(kind, kind.kind()));
        }
        ObjectNode response = operation.putObject("responses").putObject("200");
        response.put("description", "OK");
        ObjectNode schema = schemaOf(kind, answer);
        if (v3) {
            response.putObject("content").putObject("application/json").set("schema", schema);
        } else {
            response.set("schema", schema);
        }
        operation.put("x-kubernetes-action", action);
        operation
                .putObject("x-kubernetes-group-version-kind")
                .put("group", kind.group())
                .put("version", kind.version())
                .put("kind", kind.kind());
        return operation;
    }

    private void body(ObjectNode operation, ArrayNode parameters, ObjectNode schema) {
        if (v3) {
            operation
                    .putObject("requestBody")
                    .putObject("content")
                    .putObject("*/*")
                    .set("schema", schema);
        } else {
            ObjectNode body = parameters.addObject().put("in", "body").put("name", "body");
            body.put("required", true).set("schema", schema);
        }
    }

    private ObjectNode schemaOf(Verbs.KindName kind, String name) {
        if (name.equals("Status")) {
            return schemas.ref(OpenApiSchemas.name("meta.v1.Status"));
        }
        var struct = SchemaCatalog.of(kind.apiVersion(), kind.kind());
        if (struct.isEmpty()) {
            return NODES.objectNode().put("type", "object");
        }
        schemas.addStruct(struct.get().name());
        String own = OpenApiSchemas.name(struct.get());
        return schemas.ref(name.endsWith("List") ? own + "List" : own);
    }

    private void parameter(ArrayNode parameters, String name, String in) {
        ObjectNode parameter = parameters.addObject().put("in", in).put("name", name);
        if (in.equals("path")) {
            parameter.put("required", true);
        }
        String type =
                switch (name) {
                    case "force", "watch", "allowWatchBookmarks", "orphanDependents" -> "boolean";
                    case "limit", "timeoutSeconds", "gracePeriodSeconds" -> "integer";
                    default -> "string";
                };
        if (v3) {
            parameter.putObject("schema").put("type", type).put("uniqueItems", true);
        } else {
            parameter.put("type", type).put("uniqueItems", true);
        }
    }
}
