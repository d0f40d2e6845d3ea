package io.berth.kube.codec;

import io.berth.api.model.Kind;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.codec.wire.UnreadableException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/// Reads a list in JSON.
final class JsonListReader {
    private JsonListReader() {}

    static ListReader.Page read(
            InputStream stream, Kind kind, Shared shared, boolean keepsRaw, Consumer<Decoded> items)
            throws IOException {
        var reader = new ObjectReader(kind, keepsRaw);
        String version = "";
        String next = "";
        try (var in = new JsonInput(stream, shared)) {
            if (!in.nextValue() || !in.beginObject()) {
                throw new EOFException("an empty answer instead of a list");
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "metadata" -> {
                        if (in.beginObject()) {
                            for (String meta = in.nextField();
                                    meta != null;
                                    meta = in.nextField()) {
                                switch (meta) {
                                    case "resourceVersion" -> version = in.text();
                                    case "continue" -> next = in.text();
                                    default -> in.skip();
                                }
                            }
                        }
                    }
                    case "items" -> {
                        if (in.beginArray()) {
                            while (in.nextElement()) {
                                if (!in.isNull()) {
                                    items.accept(reader.read(in));
                                }
                            }
                        }
                    }
                    default -> in.skip();
                }
            }
        } catch (UnreadableException malformed) {
            throw new IOException("not a list: " + malformed.getMessage(), malformed);
        }
        return new ListReader.Page(version, next);
    }
}
