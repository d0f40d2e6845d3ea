package io.berth.kube.codec;

import io.berth.api.model.Kind;
import io.berth.kube.client.ApiStatus;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.codec.wire.UnreadableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads a watch in JSON: one object after the other, each with an event's type and object.
final class JsonWatchReader implements WatchReader {
    private final JsonInput in;
    private final Shared shared;
    private final ObjectReader reader;

    JsonWatchReader(InputStream stream, Kind kind, Shared shared, boolean keepsRaw)
            throws IOException {
        this.in = new JsonInput(stream, shared);
        this.shared = shared;
        this.reader = new ObjectReader(kind, keepsRaw);
    }

    @Override
    public @Nullable WatchEvent next() throws IOException {
        if (!in.nextValue()) {
            return null;
        }
        int depth = in.depth();
        boolean entered = false;
        try {
            if (!in.beginObject()) {
                return new WatchEvent.Unknown("null");
            }
            entered = true;
            return read();
        } catch (UnreadableException unreadable) {
            if (entered) {
                in.leave(depth);
            } else {
                in.skip();
            }
            return new WatchEvent.Unknown(unreadable.getMessage());
        }
    }

    private WatchEvent read() throws IOException {
        String type = "";
        WatchEvent event = null;
        byte[] early = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "type" -> type = in.sharedText();
                case "object" -> {
                    if (type.isEmpty()) {
                        early = copy();
                    } else {
                        event = readObject(in, type);
                    }
                }
                default -> in.skip();
            }
        }
        if (event == null && early != null) {
            try (var again = new JsonInput(early, shared)) {
                again.nextValue();
                event = readObject(again, type);
            }
        }
        return event == null ? new WatchEvent.Unknown(type) : event;
    }

    private WatchEvent readObject(JsonInput from, String type) throws IOException {
        return switch (type) {
            case "ADDED", "MODIFIED" -> new WatchEvent.Seen(reader.read(from));
            case "DELETED" -> new WatchEvent.Gone(reader.readIdentity(from));
            case "BOOKMARK" -> reader.readBookmark(from);
            case "ERROR" -> {
                var status = from.beginObject() ? ApiStatus.read(from.parser()) : null;
                yield new WatchEvent.Failed(status == null ? UNSPOKEN : status);
            }
            default -> {
                from.skip();
                yield new WatchEvent.Unknown(type);
            }
        };
    }

    /// The object, kept until its type is known. Servers send the type first, so this is rare.
    private byte[] copy() throws IOException {
        var bytes = new ByteArrayOutputStream();
        in.copyTo(bytes);
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
