package io.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.status.ApiErrors;

/// Does the body fit the URL?
final class ObjectCheck {
    private ObjectCheck() {}

    /// Checks kind and version. A body without them means what the URL says.
    static void kind(ObjectNode object, String apiVersion, String kind) {
        String bodyKind = text(object, "kind", kind);
        String bodyVersion = text(object, "apiVersion", apiVersion);
        String version = bodyVersion.substring(bodyVersion.indexOf('/') + 1);
        boolean known =
                ResourceTable.ALL.stream()
                        .anyMatch(t ->
                                t.kind().equals(bodyKind) && t.apiVersion().equals(bodyVersion));
        boolean expected = bodyKind.equals(kind) && bodyVersion.equals(apiVersion);
        if (!expected && (!known || !bodyKind.equals(kind))) {
            throw ApiErrors.badRequest(
                    "%s in version \"%s\" cannot be handled as a %s: %s"
                            .formatted(
                                    bodyKind,
                                    version,
                                    kind,
                                    whyNot(known, bodyKind, bodyVersion, kind, apiVersion)));
        }
        if (!bodyVersion.equals(apiVersion)) {
            throw ApiErrors.badRequest(
                    "the API version in the data ("
                            + bodyVersion
                            + ") does not match the expected API version ("
                            + apiVersion
                            + ")");
        }
        object.put("kind", kind).put("apiVersion", apiVersion);
    }

    private static String whyNot(
            boolean known, String bodyKind, String bodyVersion, String kind, String apiVersion) {
        String version = bodyVersion.substring(bodyVersion.indexOf('/') + 1);
        if (known) {
            int slash = apiVersion.indexOf('/');
            String group = slash < 0 ? "core" : apiVersion.split("[./]", 2)[0];
            return "converting (%s.%s) to (%s.%s): unknown conversion"
                    .formatted(version, bodyKind, group, kind);
        }
        return "no kind \"%s\" is registered for version \"%s\" in scheme \"%s\""
                .formatted(bodyKind, bodyVersion, "pkg/runtime/scheme.go:111");
    }

    private static String text(ObjectNode object, String field, String absent) {
        JsonNode node = object.path(field);
        String text = node.isTextual() ? node.asText() : "";
        return text.isEmpty() ? absent : text;
    }

    static void namespace(ResourcePath path, ObjectNode object) {
        String given = Json.text(object, "metadata.namespace");
        boolean fits = given.isEmpty() || given.equals(path.namespace());
        if (!path.type().namespaced()) {
            fits = given.isEmpty();
        }
        if (!fits) {
            throw ApiErrors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
    }

    static void name(ResourcePath path, ObjectNode object) {
        String given = Json.text(object, "metadata.name");
        if (given.isEmpty()) {
            throw ApiErrors.badRequest(
                    "the name of the object ("
                            + path.name()
                            + " based on URL) was undeterminable: name must be provided");
        }
        if (!given.equals(path.name())) {
            throw ApiErrors.badRequest(
                    "the name of the object ("
                            + given
                            + ") does not match the name on the URL ("
                            + path.name()
                            + ")");
        }
    }
}
