package io.berth.serving.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;

/// Writes trees as CBOR (RFC 8949) the way the API server does: after the mark of the format, texts
/// as strings of bytes, numbers in the shortest form, fields in the order of their written names.
public final class Cbor {
    public static final String TYPE = "application/cbor";

    private static final byte[] MARK = {(byte) 0xd9, (byte) 0xd9, (byte) 0xf7};
    private static final int NUMBER = 0;
    private static final int NEGATIVE = 1;
    private static final int BYTES = 2;
    private static final int LIST = 4;
    private static final int MAP = 5;
    private static final int FALSE = 0xf4;
    private static final int TRUE = 0xf5;
    private static final int NULL = 0xf6;
    private static final int DOUBLE = 0xfb;

    private Cbor() {}

    public static byte[] of(JsonNode tree) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(MARK);
        write(tree, out);
        return out.toByteArray();
    }

    private static void write(JsonNode tree, ByteArrayOutputStream out) {
        switch (tree.getNodeType()) {
            case OBJECT -> writeFields(tree, out);
            case ARRAY -> {
                head(LIST, tree.size(), out);
                tree.forEach(item -> write(item, out));
            }
            case NUMBER -> writeNumber(tree, out);
            case BOOLEAN -> out.write(tree.booleanValue() ? TRUE : FALSE);
            case NULL, MISSING -> out.write(NULL);
            case STRING, BINARY, POJO -> out.writeBytes(text(tree.asText()));
        }
    }

    private static void writeFields(JsonNode tree, ByteArrayOutputStream out) {
        var sorted = new TreeMap<byte[], JsonNode>(Arrays::compareUnsigned);
        tree.properties().forEach(field -> sorted.put(text(field.getKey()), field.getValue()));
        head(MAP, sorted.size(), out);
        sorted.forEach((name, value) -> {
            out.writeBytes(name);
            write(value, out);
        });
    }

    private static void writeNumber(JsonNode tree, ByteArrayOutputStream out) {
        if (!tree.isIntegralNumber()) {
            out.write(DOUBLE);
            big(Double.doubleToLongBits(tree.doubleValue()), Long.BYTES, out);
        } else if (tree.longValue() >= 0) {
            head(NUMBER, tree.longValue(), out);
        } else {
            head(NEGATIVE, ~tree.longValue(), out);
        }
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = new ByteArrayOutputStream(bytes.length + 1);
        head(BYTES, bytes.length, out);
        out.writeBytes(bytes);
        return out.toByteArray();
    }

    /// What comes next, and how large it is: a small size stands in the same byte.
    private static void head(int type, long size, ByteArrayOutputStream out) {
        int high = type << 5;
        if (size < 24) {
            out.write(high | (int) size);
        } else if (size < 1L << 8) {
            out.write(high | 24);
            big(size, 1, out);
        } else if (size < 1L << 16) {
            out.write(high | 25);
            big(size, 2, out);
        } else if (size < 1L << 32) {
            out.write(high | 26);
            big(size, 4, out);
        } else {
            out.write(high | 27);
            big(size, 8, out);
        }
    }

    private static void big(long value, int bytes, ByteArrayOutputStream out) {
        for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
            out.write((int) (value >>> shift));
        }
    }
}
