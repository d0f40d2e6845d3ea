package io.berth.apiserver.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.GoJsonSyntax;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.json.Yaml;
import io.berth.apiserver.protobuf.ProtobufBody;
import io.berth.apiserver.status.ApiErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;

/// Reads request bodies into trees, whatever clients send.
final class BodyReader {
    private static final int SUMMARY = 30;
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String ACCEPTED = "application/json, application/yaml, " + PROTOBUF;

    private BodyReader() {}

    /// The object of a create or update.
    ///
    /// @param kind what the body should be, for the message if it is not even JSON
    static ObjectNode object(Exchange exchange, String kind) {
        return object(mediaType(exchange), exchange.body(), kind);
    }

    /// The fields that a JSON body sets twice, by path.
    static List<String> duplicates(byte[] body) {
        try {
            return DuplicateFields.find(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode object(String mediaType, byte[] body, String kind) {
        JsonNode tree;
        try {
            tree = parse(mediaType, body);
        } catch (IllegalArgumentException e) {
            String prefix = mediaType.equals(PROTOBUF) ? "" : "couldn't get version/kind; ";
            throw unrecognized(kind, prefix + e.getMessage(), body);
        }
        if (tree instanceof ObjectNode object) {
            Json.dropNulls(object);
            return object;
        }
        if (tree.isNull()) {
            return Json.object();
        }
        throw unrecognized(
                kind,
                body.length == 0
                        ? "couldn't get version/kind; json parse error: unexpected end of JSON"
                                + " input"
                        : "couldn't get version/kind; json parse error: json: cannot unmarshal "
                                + goName(tree)
                                + " into Go value of type struct { APIVersion string"
                                + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
                                + " \"json:\\\"kind,omitempty\\\"\" }",
                body);
    }

    private static String goName(JsonNode tree) {
        return switch (tree.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            default -> "number";
        };
    }

    /// Options in the body of a DELETE; an empty object if there is no body.
    static ObjectNode options(Exchange exchange) {
        byte[] body = exchange.body();
        if (body.length == 0) {
            return Json.object();
        }
        try {
            if (parse(mediaType(exchange), body) instanceof ObjectNode object) {
                return object;
            }
        } catch (IllegalArgumentException e) {
            throw ApiErrors.badRequest("couldn't get version/kind; " + e.getMessage());
        }
        throw ApiErrors.badRequest("decoded object cannot be converted to DeleteOptions");
    }

    /// A patch document.
    ///
    /// @param array a list of operations rather than an object
    static JsonNode patch(byte[] body, boolean array) {
        JsonNode patch;
        try {
            patch = Json.MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw undecodable(GoJsonSyntax.problem(body, e.getOriginalMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (body.length == 0) {
            throw undecodable("unexpected end of JSON input");
        }
        if (array ? !patch.isArray() : !patch.isObject()) {
            throw undecodable(
                    "json: cannot unmarshal "
                            + goName(patch)
                            + " into Go value of type "
                            + (array ? "[]handlers.jsonPatchOp" : "map[string]interface {}"));
        }
        return patch;
    }

    private static RuntimeException undecodable(String why) {
        return ApiErrors.badRequest("error decoding patch: " + why);
    }

    static String mediaType(Exchange exchange) {
        String header = exchange.header(HttpHeader.CONTENT_TYPE);
        String type = header.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
        return switch (type) {
            case "", "application/json" -> "application/json";
            case "application/yaml", PROTOBUF -> type;
            default -> throw ApiErrors.unsupportedMediaType(ACCEPTED);
        };
    }

    private static JsonNode parse(String mediaType, byte[] body) {
        if (mediaType.equals(PROTOBUF)) {
            return ProtobufBody.parse(body)
                    .orElseThrow(() -> ApiErrors.unsupportedMediaType(ACCEPTED));
        }
        if (mediaType.equals("application/yaml")) {
            return Yaml.parse(new String(body, StandardCharsets.UTF_8), Exchange.MAX_BODY_BYTES);
        }
        try {
            return Json.MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "json parse error: " + GoJsonSyntax.problem(body, e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RuntimeException unrecognized(String kind, String why, byte[] body) {
        return ApiErrors.badRequest(
                "the object provided is unrecognized (must be of type "
                        + kind
                        + "): "
                        + why
                        + " ("
                        + summary(body)
                        + ")");
    }

    private static String summary(byte[] body) {
        if (body.length == 0) {
            return "<empty>";
        }
        int length = Math.min(body.length, SUMMARY);
        String start =
                body[0] == '{'
                        ? new String(body, 0, length, StandardCharsets.UTF_8)
                        : HexFormat.of().formatHex(body, 0, length);
        return body.length > SUMMARY ? start + " ..." : start;
    }
}
