package io.berth.kube.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Small works on JSON.
final class Json {
    static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(200)
                                    .maxStringLength(16 << 20)
                                    .build())
                    .build();

    private Json() {}

    static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /// What writes one value.
    @FunctionalInterface
    interface Body {
        void write(JsonGenerator out) throws IOException;
    }

    static byte[] write(Body body) {
        var bytes = new ByteArrayOutputStream();
        try (var out = FACTORY.createGenerator(bytes)) {
            body.write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /// The pod with `spec.nodeName` set.
    static byte[] onNode(byte[] pod, String node) {
        return write(out -> {
            try (var in = FACTORY.createParser(pod)) {
                in.nextToken();
                out.writeStartObject();
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    String field = in.currentName();
                    in.nextToken();
                    out.writeFieldName(field);
                    if (field.equals("spec") && in.currentToken() == JsonToken.START_OBJECT) {
                        copySpec(in, out, node);
                    } else {
                        out.copyCurrentStructureExact(in);
                    }
                }
                out.writeEndObject();
            }
        });
    }

    private static void copySpec(JsonParser in, JsonGenerator out, String node) throws IOException {
        out.writeStartObject();
        out.writeStringField("nodeName", node);
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            in.nextToken();
            if (field.equals("nodeName")) {
                in.skipChildren();
            } else {
                out.writeFieldName(field);
                out.copyCurrentStructureExact(in);
            }
        }
        out.writeEndObject();
    }
}
