package io.berth.kube.write;

import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Consumer;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.protobuf.Fields;
import io.berth.kube.protobuf.ProtobufException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A resource claim as the API server keeps it, to which something is added without touching the
/// rest.
///
/// A claim may hold parameters for drivers, JSON that the server keeps as it was written, blanks
/// and order of keys included, and that must not change. It does change in a patch, and in whatever
/// is read as JSON: there the server writes it anew. In protobuf it stays as it is.
final class StoredClaim {
    private static final int METADATA = 1;
    private static final int STATUS = 3;

    /// Fields of the metadata.
    private static final int UID = 5;

    private static final int RESOURCE_VERSION = 6;
    private static final int FINALIZERS = 14;

    /// The field of a status.
    private static final int RESERVED_FOR = 2;

    private final byte[] bytes;

    /// @param bytes with the envelope around the claim
    StoredClaim(byte[] bytes) {
        this.bytes = bytes;
    }

    private interface Change {
        byte[] of(byte[] message) throws ProtobufException;
    }

    /// Whether it is a claim in the version that was looked at.
    boolean is(ResourceClaim claim) throws ProtobufException {
        if (!Envelope.isMagic(bytes, 0)) {
            throw new ProtobufException("no object of the API");
        }
        var fields = new Fields();
        Envelope.open(fields, bytes, 0, bytes.length);
        String uid = "";
        String version = "";
        while (fields.next()) {
            if (fields.number() == METADATA && fields.isBytes()) {
                fields.enter();
                while (fields.next()) {
                    switch (fields.number()) {
                        case UID -> uid = fields.text();
                        case RESOURCE_VERSION -> version = fields.text();
                        default -> {}
                    }
                }
            }
        }
        return uid.equals(claim.uid()) && version.equals(claim.resourceVersion());
    }

    /// The same claim, marked to stay.
    byte[] asProtected() throws ProtobufException {
        byte[] mark = field(FINALIZERS, text(ResourceClaim.FINALIZER));
        return changed(METADATA, metadata -> joined(metadata, mark));
    }

    /// The same claim with more who may use its devices.
    byte[] reservedFor(List<Consumer> consumers) throws ProtobufException {
        byte[] more = {};
        for (var consumer : consumers) {
            byte[] entry =
                    joined(
                            consumer.group().isEmpty()
                                    ? new byte[0]
                                    : field(1, text(consumer.group())),
                            field(3, text(consumer.resource())),
                            field(4, text(consumer.name())),
                            field(5, text(consumer.uid())));
            more = joined(more, field(RESERVED_FOR, entry));
        }
        byte[] added = more;
        return changed(STATUS, status -> joined(status, added));
    }

    private byte[] changed(int part, Change change) throws ProtobufException {
        byte[] envelope = Arrays.copyOfRange(bytes, Envelope.MAGIC_LENGTH, bytes.length);
        return joined(
                Envelope.magic(),
                with(envelope, Envelope.OBJECT, claim -> with(claim, part, change)));
    }

    /// A message in which the message that stands in a field is another.
    private static byte[] with(byte[] message, int number, Change change) throws ProtobufException {
        var result = new ByteArrayOutputStream(message.length + Long.SIZE);
        var fields = new Fields();
        fields.reset(message, 0, message.length);
        boolean isDone = false;
        for (int begin = 0; fields.next(); begin = fields.place()) {
            if (!isDone && fields.number() == number && fields.isBytes()) {
                byte[] inner = Arrays.copyOfRange(message, fields.from(), fields.to());
                result.writeBytes(field(number, change.of(inner)));
                isDone = true;
            } else {
                result.write(message, begin, fields.place() - begin);
            }
        }
        if (!isDone) {
            result.writeBytes(field(number, change.of(new byte[0])));
        }
        return result.toByteArray();
    }

    private static byte[] field(int number, byte[] content) {
        var result = new ByteArrayOutputStream(content.length + Long.BYTES);
        writeNumber(result, Fields.tag(number, Fields.BYTES));
        writeNumber(result, content.length);
        result.writeBytes(content);
        return result.toByteArray();
    }

    private static void writeNumber(ByteArrayOutputStream out, long number) {
        long rest = number;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[]... parts) {
        var result = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            result.writeBytes(part);
        }
        return result.toByteArray();
    }
}
