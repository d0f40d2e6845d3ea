package io.berth.kube.protobuf;

import java.nio.charset.StandardCharsets;

/// Steps through the fields of a message, and of messages within it.
///
/// After [#next] or [#nextIf] it stands on a field: a number ([#value]), or bytes ([#from] to
/// [#to]), which may be a text or a message to [#enter]. Going on passes over whatever the field
/// holds. Used by one thread.
public final class Fields {
    /// How a number is written: seven bits to a byte.
    public static final int VARINT = 0;

    /// How texts and messages are written: with their length before them.
    public static final int BYTES = 2;

    private static final int FIXED_64 = 1;
    private static final int FIXED_32 = 5;

    /// The highest number that a field can have.
    private static final long MOST = (1 << 29) - 1;

    private byte[] bytes = {};
    private int at;
    private int end;
    private int number;
    private boolean isBytes;
    private long value;
    private int from;
    private int to;

    /// What stands before a field.
    public static long tag(int number, int wireType) {
        return (long) number << 3 | wireType;
    }

    /// Begins anew, before the first field of another message.
    public void reset(byte[] buffer, int begin, int limit) {
        bytes = buffer;
        at = begin;
        end = limit;
    }

    /// Goes to the next field; false at the message's end.
    public boolean next() throws ProtobufException {
        if (at >= end) {
            return false;
        }
        long tag = varint();
        if (tag >>> 3 == 0 || tag >>> 3 > MOST) {
            throw new ProtobufException("field number " + (tag >>> 3));
        }
        number = (int) (tag >>> 3);
        read((int) tag & 7);
        return true;
    }

    /// Goes to the next field where it has this number: the next element of a list.
    public boolean nextIf(int wanted) throws ProtobufException {
        int before = at;
        if (at < end && varint() >>> 3 == wanted) {
            at = before;
            return next();
        }
        at = before;
        return false;
    }

    private void read(int wireType) throws ProtobufException {
        isBytes = wireType == BYTES;
        switch (wireType) {
            case VARINT -> value = varint();
            case BYTES -> {
                long length = varint();
                from = at;
                advance(length);
                to = at;
            }
            case FIXED_64 -> advance(Long.BYTES);
            case FIXED_32 -> advance(Integer.BYTES);
            default -> throw new ProtobufException("wire type " + wireType);
        }
    }

    private void advance(long length) throws ProtobufException {
        if (length < 0 || length > end - at) {
            throw new ProtobufException("a field beyond the end of its message");
        }
        at += (int) length;
    }

    private long varint() throws ProtobufException {
        long result = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at >= end) {
                throw new ProtobufException("a number beyond the end of its message");
            }
            byte next = bytes[at++];
            result |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return result;
            }
        }
        throw new ProtobufException("a number of more than 64 bits");
    }

    public int number() {
        return number;
    }

    /// Whether the field holds bytes: a text, a message, or an entry of a map.
    public boolean isBytes() {
        return isBytes;
    }

    public long value() {
        return value;
    }

    public byte[] bytes() {
        return bytes;
    }

    /// Where the field's bytes begin.
    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    public String text() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /// Goes before the first field of the message that the present field holds.
    public void enter() {
        at = from;
        end = to;
    }

    /// Goes on at a place in an outer message.
    public void resume(int place, int limit) {
        at = place;
        end = limit;
    }

    /// Makes other bytes those of the present field: the value of a map's entry.
    public void narrow(int begin, int limit) {
        isBytes = true;
        from = begin;
        to = limit;
    }

    /// Where the next field begins.
    public int place() {
        return at;
    }

    /// Where the present message ends.
    public int end() {
        return end;
    }
}
