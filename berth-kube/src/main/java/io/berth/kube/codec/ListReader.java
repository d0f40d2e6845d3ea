package io.berth.kube.codec;

import io.berth.api.model.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/// Reads a list, handing over its items one by one, so that a large list is never in memory as a
/// whole.
public final class ListReader {
    private ListReader() {}

    /// What a list says about itself.
    ///
    /// @param next the token for the following page; empty on the last
    public record Page(String resourceVersion, String next) {}

    /// @throws IOException where the stream breaks or holds no valid JSON
    public static Page read(InputStream stream, Kind kind, Shared shared, Consumer<Decoded> items)
            throws IOException {
        return read(stream, kind, shared, false, items);
    }

    /// @param keepsRaw whether objects are wanted as JSON, too
    public static Page read(
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
        if (version.isEmpty()) {
            // Something else than an API server has answered. Taken for an empty list, it would
            // make every object disappear.
            throw new IOException("not a list: metadata.resourceVersion is missing");
        }
        return new Page(version, next);
    }
}
