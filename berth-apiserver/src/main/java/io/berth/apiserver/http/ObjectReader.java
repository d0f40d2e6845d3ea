package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.Decoder;
import io.berth.apiserver.admission.Refusal;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import java.util.ArrayList;
import java.util.List;

/// Reads an object of a known kind from a request.
final class ObjectReader {
    private ObjectReader() {}

    static ObjectNode read(Exchange exchange, ResourceType type) {
        String mediaType = BodyReader.mediaType(exchange);
        byte[] body = exchange.body();
        ObjectNode object = BodyReader.object(mediaType, body, type.kind());
        ObjectCheck.kind(object, type.apiVersion(), type.kind());
        boolean json = mediaType.equals("application/json");
        return typed(exchange, type, object, json ? BodyReader.duplicates(body) : List.of());
    }

    static ObjectNode typed(Exchange exchange, ResourceType type, ObjectNode object) {
        return typed(exchange, type, object, List.of());
    }

    /// The object as its kind has it. Fields that the kind does not have, or that came twice, are
    /// an error, a warning or nothing, as the client wishes.
    private static ObjectNode typed(
            Exchange exchange, ResourceType type, ObjectNode object, List<String> duplicates) {
        try {
            Decoder.Decoded decoded = Decoder.decode(type, object);
            var complaints = new ArrayList<String>();
            duplicates.forEach(path -> complaints.add("duplicate field \"" + path + "\""));
            complaints.addAll(decoded.strictErrors());
            return switch (exchange.query("fieldValidation")) {
                case "Strict" -> new Decoder.Decoded(decoded.object(), complaints).strict(type);
                case "Ignore" -> decoded.object();
                default -> {
                    complaints.removeAll(exchange.warnings());
                    exchange.warnings().addAll(complaints);
                    yield decoded.object();
                }
            };
        } catch (Refusal refusal) {
            throw ApiErrors.badRequest(refusal.text());
        }
    }

    /// Reads an object that is not a resource of its own, such as a `Binding`.
    static ObjectNode read(Exchange exchange, String apiVersion, String kind) {
        ObjectNode object = BodyReader.object(exchange, kind);
        ObjectCheck.kind(object, apiVersion, kind);
        return object;
    }

    /// Evictions of policy/v1beta1 are still accepted.
    static ObjectNode readEviction(Exchange exchange) {
        ObjectNode object = BodyReader.object(exchange, "Eviction");
        String version = Json.text(object, "apiVersion");
        ObjectCheck.kind(
                object, version.equals("policy/v1beta1") ? version : "policy/v1", "Eviction");
        return object;
    }
}
