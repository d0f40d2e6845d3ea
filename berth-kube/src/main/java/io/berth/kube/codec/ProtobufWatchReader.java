package io.berth.kube.codec;

import io.berth.api.model.Kind;
import io.berth.kube.client.ProtobufStatus;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.ProtobufBuffer;
import io.berth.kube.codec.wire.ProtobufInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.protobuf.Fields;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads a watch in protobuf: frames with their length before them, in each an event, and in that
/// the object in its envelope.
final class ProtobufWatchReader implements WatchReader {
    private static final int TYPE = 1;
    private static final int OBJECT = 2;
    private static final int RAW = 1;

    private final InputStream stream;
    private final Schema schema;
    private final ObjectReader reader;
    private final ProtobufInput in;
    private final ProtobufBuffer buffer = new ProtobufBuffer();
    private final Fields fields = new Fields();
    private final byte[] lengthBytes = new byte[Integer.BYTES];

    ProtobufWatchReader(InputStream stream, Kind kind, Shared shared) {
        this.stream = stream;
        this.schema = KindTable.of(kind).schema();
        this.reader = new ObjectReader(kind, false);
        this.in = new ProtobufInput(shared);
    }

    @Override
    public @Nullable WatchEvent next() throws IOException {
        int got = stream.readNBytes(lengthBytes, 0, lengthBytes.length);
        if (got == 0) {
            return null;
        }
        if (got < lengthBytes.length) {
            throw new EOFException("end of input within an event");
        }
        int length = 0;
        for (byte next : lengthBytes) {
            length = length << 8 | next & 0xff;
        }
        buffer.fill(stream, length);
        return read(length);
    }

    private WatchEvent read(int length) throws IOException {
        String type = "";
        int from = 0;
        int to = 0;
        fields.reset(buffer.bytes(), 0, length);
        while (fields.next()) {
            if (fields.number() == TYPE && fields.isBytes()) {
                type = fields.text();
            } else if (fields.number() == OBJECT && fields.isBytes()) {
                int after = fields.place();
                fields.enter();
                while (fields.next()) {
                    if (fields.number() == RAW && fields.isBytes()) {
                        from = fields.from();
                        to = fields.to();
                    }
                }
                fields.resume(after, length);
            }
        }
        if (to == 0) {
            return new WatchEvent.Unknown(type);
        }
        Envelope.open(fields, buffer.bytes(), from, to);
        return switch (type) {
            case "ADDED", "MODIFIED" -> new WatchEvent.Seen(reader.read(object()));
            case "DELETED" -> new WatchEvent.Gone(reader.readIdentity(object()));
            case "BOOKMARK" -> reader.readBookmark(object());
            case "ERROR" -> {
                var status = ProtobufStatus.read(fields);
                yield new WatchEvent.Failed(status.code() == 0 ? UNSPOKEN : status);
            }
            default -> new WatchEvent.Unknown(type);
        };
    }

    private ProtobufInput object() {
        return in.reset(buffer.bytes(), fields.place(), fields.end(), schema);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
