package io.berth.kube.codec;

import io.berth.api.model.Kind;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.kind.Schemas;
import io.berth.kube.codec.wire.ProtobufBuffer;
import io.berth.kube.codec.wire.ProtobufInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.codec.wire.UnreadableException;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.protobuf.Fields;
import io.berth.kube.protobuf.ProtobufException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/// Reads a list in protobuf. Only one item at a time is in memory, so the envelope and the list
/// itself are read from the stream.
final class ProtobufListReader {
    private static final int CHUNK = 1 << 16;
    private static final int METADATA = 1;
    private static final int ITEMS = 2;

    private final InputStream stream;
    private final Schema schema;
    private final ObjectReader reader;
    private final ProtobufInput in;
    private final ProtobufBuffer buffer = new ProtobufBuffer();

    /// How many bytes of the stream were read.
    private long at;

    private String version = "";
    private String next = "";

    ProtobufListReader(InputStream stream, Kind kind, Shared shared) {
        this.stream = new BufferedInputStream(stream, CHUNK);
        this.schema = KindTable.of(kind).schema();
        this.reader = new ObjectReader(kind, false);
        this.in = new ProtobufInput(shared);
    }

    ListReader.Page read(Consumer<Decoded> items) throws IOException {
        byte[] magic = stream.readNBytes(Envelope.MAGIC_LENGTH);
        if (!Envelope.isMagic(magic, 0)) {
            throw new ProtobufException("no object of the API");
        }
        try {
            for (long tag = readTag(); tag >= 0; tag = readTag()) {
                if (tag == Fields.tag(Envelope.OBJECT, Fields.BYTES)) {
                    readList(varint(), items);
                } else {
                    skip(tag);
                }
            }
        } catch (UnreadableException malformed) {
            throw new IOException("not a list: " + malformed.getMessage(), malformed);
        }
        return new ListReader.Page(version, next);
    }

    private void readList(long length, Consumer<Decoded> items) throws IOException {
        long end = at + length;
        while (at < end) {
            long tag = varint();
            if (tag == Fields.tag(ITEMS, Fields.BYTES)) {
                items.accept(reader.read(readObject(schema)));
            } else if (tag == Fields.tag(METADATA, Fields.BYTES)) {
                readMetadata();
            } else {
                skip(tag);
            }
        }
    }

    private void readMetadata() throws IOException {
        var metadata = readObject(Schemas.LIST_META);
        metadata.beginObject();
        for (String field = metadata.nextField(); field != null; field = metadata.nextField()) {
            switch (field) {
                case "resourceVersion" -> version = metadata.text();
                case "continue" -> next = metadata.text();
                default -> metadata.skip();
            }
        }
    }

    private ProtobufInput readObject(Schema fields) throws IOException {
        int length = fill();
        return in.reset(buffer.bytes(), 0, length, fields);
    }

    private int fill() throws IOException {
        long length = varint();
        buffer.fill(stream, length);
        at += length;
        return (int) length;
    }

    private void skip(long tag) throws IOException {
        switch ((int) tag & 7) {
            case Fields.VARINT -> varint();
            case Fields.BYTES -> fill();
            default -> throw new ProtobufException("wire type " + (tag & 7));
        }
    }

    /// The next tag of the envelope; -1 at the end of the stream.
    private long readTag() throws IOException {
        stream.mark(1);
        if (stream.read() < 0) {
            return -1;
        }
        stream.reset();
        return varint();
    }

    private long varint() throws IOException {
        long result = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = stream.read();
            if (next < 0) {
                throw new EOFException("end of input within a list");
            }
            at++;
            result |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return result;
            }
        }
        throw new ProtobufException("a number of more than 64 bits");
    }
}
