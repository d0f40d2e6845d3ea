package io.berth.serving.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
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
    private static final int HALF = 0xf9;
    private static final int FLOAT = 0xfa;
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
            writeFraction(tree.doubleValue(), out);
        } else if (!tree.canConvertToLong()) {
            writeLarge(tree.bigIntegerValue(), out);
        } else if (tree.longValue() >= 0) {
            head(NUMBER, tree.longValue(), out);
        } else {
            head(NEGATIVE, ~tree.longValue(), out);
        }
    }

    /// In as few bits as tell the same number.
    private static void writeFraction(double number, ByteArrayOutputStream out) {
        float single = (float) number;
        short half = Float.floatToFloat16(single);
        if (isSame(Float.float16ToFloat(half), number)) {
            out.write(HALF);
            big(half, Short.BYTES, out);
        } else if (isSame(single, number)) {
            out.write(FLOAT);
            big(Float.floatToIntBits(single), Float.BYTES, out);
        } else {
            out.write(DOUBLE);
            big(Double.doubleToLongBits(number), Double.BYTES, out);
        }
    }

    private static boolean isSame(double shorter, double number) {
        return Double.compare(shorter, number) == 0;
    }

    private static void writeLarge(BigInteger number, ByteArrayOutputStream out) {
        boolean isNegative = number.signum() < 0;
        BigInteger size = isNegative ? number.not() : number;
        if (size.bitLength() > Long.SIZE) {
            throw new IllegalArgumentException(
                    "a whole number of more than 64 bits cannot be written as CBOR: " + number);
        }
        head(isNegative ? NEGATIVE : NUMBER, size.longValue(), out);
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = new ByteArrayOutputStream(bytes.length + 1);
        head(BYTES, bytes.length, out);
        out.writeBytes(bytes);
        return out.toByteArray();
    }

    /// What comes next, and how large it is: a small size stands in the same byte.
    ///
    /// @param size without a sign
    private static void head(int type, long size, ByteArrayOutputStream out) {
        int high = type << 5;
        if (Long.compareUnsigned(size, 24) < 0) {
            out.write(high | (int) size);
        } else if (size >>> 8 == 0) {
            out.write(high | 24);
            big(size, 1, out);
        } else if (size >>> 16 == 0) {
            out.write(high | 25);
            big(size, 2, out);
        } else if (size >>> 32 == 0) {
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
