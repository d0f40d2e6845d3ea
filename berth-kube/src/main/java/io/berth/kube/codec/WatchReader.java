package io.berth.kube.codec;

import com.fasterxml.jackson.core.JsonParseException;
import io.berth.api.model.Kind;
import io.berth.kube.client.ApiStatus;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.protobuf.ProtobufException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the events of a watch, one after another, as they arrive. Used by one thread.
public sealed interface WatchReader extends AutoCloseable
        permits JsonWatchReader, ProtobufWatchReader {
    /// What a watch says that ends with an error but not with which.
    ApiStatus UNSPOKEN =
            new ApiStatus(500, "Unknown", "the watch failed without a status", List.of(), 0);

    static WatchReader of(InputStream stream, Encoding encoding, Kind kind, Shared shared)
            throws IOException {
        return of(stream, encoding, kind, shared, false);
    }

    /// @param keepsRaw whether objects are wanted as JSON, too; that needs JSON to begin with
    static WatchReader of(
            InputStream stream, Encoding encoding, Kind kind, Shared shared, boolean keepsRaw)
            throws IOException {
        return switch (encoding) {
            case JSON -> new JsonWatchReader(stream, kind, shared, keepsRaw);
            case PROTOBUF -> new ProtobufWatchReader(stream, kind, shared);
        };
    }

    /// Whether reading failed because of what came, rather than because nothing came any more.
    static boolean isMalformed(IOException failure) {
        return failure instanceof JsonParseException || failure instanceof ProtobufException;
    }

    /// The next event, or null at the end of the stream.
    ///
    /// @throws IOException where the stream breaks or holds something else; it is of no further use
    @Nullable WatchEvent next() throws IOException;

    @Override
    void close() throws IOException;
}
