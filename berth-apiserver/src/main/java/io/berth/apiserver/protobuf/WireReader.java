package io.berth.apiserver.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads the primitive parts of protobuf's wire format.
final class WireReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int at;

    WireReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private WireReader(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    boolean hasMore() {
        return at < end;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = next();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw malformed();
    }

    /// A part with its length in front.
    WireReader part() {
        int length = length();
        var part = new WireReader(bytes, at, at + length);
        at += length;
        return part;
    }

    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return rest;
    }

    String text() {
        int length = length();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    long fixed64() {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value |= (next() & 0xffL) << (8 * i);
        }
        return value;
    }

    void skip(int wireType) {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED64 -> fixed64();
            case BYTES -> {
                int length = length();
                at += length;
            }
            case FIXED32 -> {
                for (int i = 0; i < 4; i++) {
                    next();
                }
            }
            default -> throw malformed();
        }
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw malformed();
        }
        return (int) length;
    }

    private byte next() {
        if (at >= end) {
            throw malformed();
        }
        return bytes[at++];
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("unexpected EOF");
    }
}
