package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.schema.SchemaCatalog;
import io.berth.apiserver.selector.LabelSelector;
import io.berth.apiserver.status.ApiErrors;
import java.io.IOException;
import java.util.function.UnaryOperator;

/// The `scale` subresource: how many replicas a workload wants and has, whatever its kind.
final class ScaleHandler {
    private static final String API_VERSION = "autoscaling/v1";
    private static final String KIND = "Scale";

    private final Registry registry;

    ScaleHandler(Registry registry) {
        this.registry = registry;
    }

    void handle(Exchange exchange, ResourcePath path) throws IOException {
        ObjectNode workload =
                switch (exchange.method()) {
                    case "GET" -> registry.get(path.type(), path.namespace(), path.name()).tree();
                    case "PUT" -> replace(exchange, path);
                    case "PATCH" -> patch(exchange, path);
                    default -> throw ApiErrors.methodNotAllowed();
                };
        exchange.respond(200, scale(workload));
    }

    private ObjectNode replace(Exchange exchange, ResourcePath path) {
        ObjectNode sent = ObjectReader.read(exchange, API_VERSION, KIND);
        ObjectCheck.namespace(path, sent);
        ObjectCheck.name(path, sent);
        return update(path, _ -> sent.deepCopy(), QueryOptions.write(exchange, "UpdateOptions"));
    }

    private ObjectNode patch(Exchange exchange, ResourcePath path) {
        UnaryOperator<ObjectNode> patch =
                PatchHandler.reader(exchange, SchemaCatalog.of(API_VERSION, KIND));
        return update(
                path,
                scale -> PatchHandler.applied(patch, scale),
                QueryOptions.write(exchange, "PatchOptions"));
    }

    private ObjectNode update(
            ResourcePath path, UnaryOperator<ObjectNode> change, WriteOptions options) {
        var target = new Target(path.type(), path.namespace(), path.name(), "scale");
        return registry.update(
                        target,
                        workload -> scaled(path, workload, change.apply(scale(workload))),
                        options)
                .object()
                .tree();
    }

    /// The workload with the number that the scale asks for, under the scale's conditions.
    private static ObjectNode scaled(ResourcePath path, ObjectNode workload, ObjectNode scale) {
        long replicas = scale.path("spec").path("replicas").asLong(0);
        if (replicas < 0) {
            throw ApiErrors.invalidField(
                    "autoscaling",
                    KIND,
                    path.name(),
                    "spec.replicas",
                    "FieldValueInvalid",
                    "Invalid value: " + replicas + ": must be greater than or equal to 0");
        }
        JsonNode uid = scale.path("metadata").path("uid");
        boolean other =
                uid.isTextual()
                        && !uid.asText().isEmpty()
                        && !uid.equals(workload.path("metadata").path("uid"));
        if (other) {
            throw ApiErrors.conflict(
                    path.type(),
                    path.name(),
                    "Precondition failed: UID in precondition: "
                            + uid.asText()
                            + ", UID in object meta: "
                            + Json.text(workload, "metadata.uid"));
        }
        Json.ensure(workload, "spec").put("replicas", (int) replicas);
        Json.ensure(workload, "metadata")
                .put("resourceVersion", Json.text(scale, "metadata.resourceVersion"));
        return workload;
    }

    private static ObjectNode scale(ObjectNode workload) {
        ObjectNode scale = Json.object().put("kind", KIND).put("apiVersion", API_VERSION);
        ObjectNode metadata = scale.putObject("metadata");
        for (String field :
                new String[] {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
            metadata.set(field, workload.path("metadata").path(field));
        }
        ObjectNode spec = scale.putObject("spec");
        long wanted = workload.path("spec").path("replicas").asLong(0);
        if (wanted != 0) {
            spec.put("replicas", wanted);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", workload.path("status").path("replicas").asLong(0));
        String selector = selector(workload.path("spec").path("selector"));
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    /// A replication controller's selector is a plain map, that of the others a tree.
    private static String selector(JsonNode selector) {
        boolean tree = selector.has("matchLabels") || selector.has("matchExpressions");
        return LabelSelector.of(tree ? selector : Json.object().set("matchLabels", selector))
                .text();
    }
}
