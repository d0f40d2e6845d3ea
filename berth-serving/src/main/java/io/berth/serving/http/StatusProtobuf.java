package io.berth.serving.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A `Status` in the API's binary form: the mark `k8s\0`, then an envelope with the kind, then the
/// object. Kubernetes writes absent texts as empty ones, so they appear here too.
final class StatusProtobuf {
    private static final byte[] MARK = {'k', '8', 's', 0};
    private static final int TEXT = 2;

    private StatusProtobuf() {}

    static byte[] encode(StatusReply.Facts facts) {
        var kind = new Message().text(1, "v1").text(2, "Status");
        var list = new Message().text(1, "").text(2, "").text(3, "");
        var status =
                new Message()
                        .message(1, list)
                        .text(2, "Failure")
                        .text(3, facts.message())
                        .text(4, facts.reason());
        if (facts.detailed()) {
            status.message(
                    5, new Message().text(1, "").text(2, "").text(3, "").number(5, 0).text(6, ""));
        }
        status.number(6, facts.code());
        var envelope = new Message().message(1, kind).message(2, status).text(3, "").text(4, "");
        var out = new ByteArrayOutputStream();
        out.writeBytes(MARK);
        out.writeBytes(envelope.bytes());
        return out.toByteArray();
    }

    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return bytes(field, value.bytes());
        }

        Message number(int field, int value) {
            varint(field << 3);
            varint(value);
            return this;
        }

        private Message bytes(int field, byte[] value) {
            varint(field << 3 | TEXT);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        private void varint(int value) {
            int rest = value;
            while (rest > 0x7f) {
                out.write(rest & 0x7f | 0x80);
                rest >>>= 7;
            }
            out.write(rest);
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }
}
