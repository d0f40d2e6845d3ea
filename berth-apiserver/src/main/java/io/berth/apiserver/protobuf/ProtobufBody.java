package io.berth.apiserver.protobuf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A request body in Kubernetes' protobuf envelope: four magic bytes, then a message with
/// apiVersion, kind and the object itself.
public final class ProtobufBody {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private ProtobufBody() {}

    /// The object as JSON; empty if it is of a kind that is not known here.
    ///
    /// @throws IllegalArgumentException if the bytes are no such body
    public static Optional<ObjectNode> parse(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, 4, MAGIC, 0, 4)) {
            throw new IllegalArgumentException(
                    "provided data does not appear to be a protobuf message, expected prefix [107"
                            + " 56 115 0]");
        }
        var reader = new WireReader(Arrays.copyOfRange(body, MAGIC.length, body.length));
        String apiVersion = "";
        String kind = "";
        byte[] raw = {};
        while (reader.hasMore()) {
            long tag = reader.varint();
            switch ((int) (tag >>> 3)) {
                case 1 -> {
                    WireReader type = reader.part();
                    while (type.hasMore()) {
                        long typeTag = type.varint();
                        switch ((int) (typeTag >>> 3)) {
                            case 1 -> apiVersion = type.text();
                            case 2 -> kind = type.text();
                            default -> type.skip((int) (typeTag & 7));
                        }
                    }
                }
                case 2 -> raw = reader.part().rest();
                default -> reader.skip((int) (tag & 7));
            }
        }
        Optional<ObjectNode> object = MessageReader.read(message(apiVersion, kind), raw);
        ObjectNode result = Json.object().put("kind", kind).put("apiVersion", apiVersion);
        return object.map(o -> (ObjectNode) result.setAll(o));
    }

    /// `apps/v1` and `Deployment` become `apps.v1.Deployment`.
    private static String message(String apiVersion, String kind) {
        if (kind.endsWith("Options")) {
            // Options are the same message whatever group they are sent for.
            return "meta.v1." + kind;
        }
        int slash = apiVersion.indexOf('/');
        if (slash < 0) {
            return "core." + apiVersion + "." + kind;
        }
        String group = apiVersion.substring(0, slash).toLowerCase(Locale.ROOT);
        int dot = group.indexOf('.');
        return (dot < 0 ? group : group.substring(0, dot))
                + "."
                + apiVersion.substring(slash + 1)
                + "."
                + kind;
    }
}
