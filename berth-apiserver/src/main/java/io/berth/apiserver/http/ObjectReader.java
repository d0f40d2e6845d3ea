package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;

/// Reads an object of a known kind from a request.
final class ObjectReader {
    private ObjectReader() {}

    static ObjectNode read(Exchange exchange, ResourceType type) {
        ObjectNode object = BodyReader.object(exchange, type.kind());
        ObjectCheck.kind(object, type.apiVersion(), type.kind());
        ObjectCheck.shape(type, object);
        return object;
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
                object,
                version.equals("policy/v1beta1") ? version : "policy/v1",
                "Eviction");
        return object;
    }
}
