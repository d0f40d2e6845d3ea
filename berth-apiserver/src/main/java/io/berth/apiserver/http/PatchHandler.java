package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.event.EventRules;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.patch.JsonPatch;
import io.berth.apiserver.patch.MergePatch;
import io.berth.apiserver.patch.PatchException;
import io.berth.apiserver.patch.StrategicMergePatch;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.registry.Registry.Target;
import io.berth.apiserver.registry.Registry.Updated;
import io.berth.apiserver.registry.View;
import io.berth.apiserver.registry.WriteOptions;
import io.berth.apiserver.schema.SchemaCatalog;
import io.berth.apiserver.schema.StructType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpHeader;

/// Changes a part of an object, described in one of four ways.
final class PatchHandler {
    private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    private final Registry registry;
    private final ApplyHandler applies;

    PatchHandler(Registry registry) {
        this.registry = registry;
        this.applies = new ApplyHandler(registry);
    }

    Updated patch(Exchange exchange, ResourcePath path) {
        WriteOptions options = QueryOptions.write(exchange, "PatchOptions");
        if (mediaType(exchange).equals("application/apply-patch+yaml")) {
            return applies.apply(exchange, path, options);
        }
        if (exchange.hasQuery("force")) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    "PatchOptions",
                    "",
                    "force",
                    "FieldValueForbidden",
                    "Forbidden: may not be specified for non-apply patch");
        }
        if (path.type().custom() && mediaType(exchange).equals(STRATEGIC_MERGE_PATCH)) {
            throw ApiErrors.unsupportedMediaType(
                    "application/json-patch+json, application/merge-patch+json,"
                            + " application/apply-patch+yaml");
        }
        View view = View.of(path.type());
        UnaryOperator<ObjectNode> patch = reader(exchange, SchemaCatalog.of(path.type()));
        var target = new Target(view.storage(), path.namespace(), path.name(), path.subresource());
        return registry.update(
                target,
                stored -> {
                    ObjectNode patched = applied(patch, view.fromStorage(stored));
                    ObjectNode typed = typed(exchange, path, patched);
                    ObjectCheck.namespace(path, typed);
                    ObjectCheck.name(path, typed);
                    ObjectNode next = view.toStorage(typed);
                    if (path.type().builtInKind().equals("Event")) {
                        EventRules.checkUpdate(path.type(), next);
                    }
                    return next;
                },
                options);
    }

    /// A patch may have made something that is no object of its kind any more.
    private static ObjectNode typed(Exchange exchange, ResourcePath path, ObjectNode patched) {
        try {
            ObjectCheck.kind(patched, path.type().apiVersion(), path.type().kind());
            return ObjectReader.typed(exchange, path.type(), patched);
        } catch (ApiException e) {
            String why =
                    e.status().message().replaceFirst("^.*? cannot be handled as a \\w+: ", "");
            if (why.startsWith("strict decoding error")) {
                throw e;
            }
            String json = new String(Json.bytes(patched), StandardCharsets.UTF_8);
            String quoted = Json.MAPPER.getNodeFactory().textNode(json).toString();
            throw ApiErrors.invalidField(
                    "",
                    "",
                    "",
                    "patch",
                    "FieldValueInvalid",
                    "Invalid value: " + quoted + ": " + why);
        }
    }

    static ObjectNode applied(UnaryOperator<ObjectNode> patch, ObjectNode object) {
        try {
            return patch.apply(object);
        } catch (PatchException e) {
            throw failure(e);
        }
    }

    static ApiException failure(PatchException e) {
        return switch (e.status()) {
            case 400 -> ApiErrors.badRequest(e.text());
            case 413 -> new ApiException(Status.failure(413, "RequestEntityTooLarge", e.text()));
            default ->
                    // Upstream does not pass on what is wrong.
                    new ApiException(
                            Status.failure(
                                            422,
                                            "Invalid",
                                            "the server rejected our request due to an error in"
                                                    + " our request")
                                    .with(Status.Details.of("", "", "")));
        };
    }

    private static String mediaType(Exchange exchange) {
        return exchange.header(HttpHeader.CONTENT_TYPE)
                .split(";", 2)[0]
                .trim()
                .toLowerCase(Locale.ROOT);
    }

    /// What the body asks for, as a function of the object as it is.
    static UnaryOperator<ObjectNode> reader(Exchange exchange, Optional<StructType> struct) {
        byte[] body = exchange.body();
        return switch (mediaType(exchange)) {
            case "application/json-patch+json" -> {
                JsonNode patch = BodyReader.patch(body, true);
                yield object -> JsonPatch.apply(object, patch);
            }
            case "application/merge-patch+json" -> {
                JsonNode patch = BodyReader.patch(body, false);
                yield object -> MergePatch.apply(object, patch);
            }
            case STRATEGIC_MERGE_PATCH -> {
                JsonNode patch = BodyReader.patch(body, false);
                yield object -> StrategicMergePatch.apply(object, patch, struct);
            }
            default -> throw ApiErrors.unsupportedPatchType();
        };
    }
}
