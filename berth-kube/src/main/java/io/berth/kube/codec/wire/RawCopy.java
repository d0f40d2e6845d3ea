package io.berth.kube.codec.wire;

import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// Copies an object as JSON, as a typed client would write it again: without its kind and version,
/// which a list does not repeat, and without `metadata.managedFields`, which hardly anybody reads
/// and which is often the larger part.
public final class RawCopy {
    private RawCopy() {}

    /// Expects the start of the object and leaves at its end. Anything else than an object is
    /// copied as it is.
    public static byte[] of(JsonInput in) throws IOException {
        var bytes = new ByteArrayOutputStream(2048);
        var parser = in.parser();
        try (var out = in.generator(bytes)) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                out.copyCurrentStructureExact(parser);
                out.flush();
                return bytes.toByteArray();
            }
            out.writeStartObject();
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "kind", "apiVersion" -> in.skip();
                    case "metadata" -> {
                        out.writeFieldName(field);
                        if (parser.currentToken() == JsonToken.START_OBJECT) {
                            out.writeStartObject();
                            for (String meta = in.nextField();
                                    meta != null;
                                    meta = in.nextField()) {
                                if (meta.equals("managedFields")) {
                                    in.skip();
                                } else {
                                    out.writeFieldName(meta);
                                    out.copyCurrentStructureExact(parser);
                                }
                            }
                            out.writeEndObject();
                        } else {
                            out.copyCurrentStructureExact(parser);
                        }
                    }
                    default -> {
                        out.writeFieldName(field);
                        out.copyCurrentStructureExact(parser);
                    }
                }
            }
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
