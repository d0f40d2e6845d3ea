package io.berth.kube.codec;

import io.berth.api.model.Kind;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
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

    /// @param keepsRaw whether objects are wanted as JSON, too; that needs JSON to begin with
    /// @throws IOException where the stream breaks or holds something else
    public static Page read(
            InputStream stream,
            Encoding encoding,
            Kind kind,
            Shared shared,
            boolean keepsRaw,
            Consumer<Decoded> items)
            throws IOException {
        var page =
                switch (encoding) {
                    case JSON -> JsonListReader.read(stream, kind, shared, keepsRaw, items);
                    case PROTOBUF -> new ProtobufListReader(stream, kind, shared).read(items);
                };
        if (page.resourceVersion.isEmpty()) {
            // Something else than an API server has answered. Taken for an empty list, it would
            // make every object disappear.
            throw new IOException("not a list: metadata.resourceVersion is missing");
        }
        return page;
    }
}
