package io.berth.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ProtobufBodyTest {
    /// Writes messages by hand, so that the reader is not tested with its own ideas.
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message bytes(int field, byte[] value) {
            varint((long) field << 3 | 2);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        Message part(int field, Message value) {
            return bytes(field, value.done());
        }

        Message number(int field, long value) {
            varint((long) field << 3);
            varint(value);
            return this;
        }

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out.write((int) (rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
        }

        byte[] done() {
            return out.toByteArray();
        }
    }

    private static byte[] body(String apiVersion, String kind, Message object) {
        byte[] envelope =
                new Message()
                        .part(1, new Message().text(1, apiVersion).text(2, kind))
                        .part(2, object)
                        .text(3, "")
                        .text(4, "")
                        .done();
        byte[] body = Arrays.copyOf(new byte[] {'k', '8', 's', 0}, 4 + envelope.length);
        System.arraycopy(envelope, 0, body, 4, envelope.length);
        return body;
    }

    @Test
    void bindingIsRead() {
        var binding =
                new Message()
                        .part(1, new Message().text(1, "p").text(2, "").text(3, "ns").number(7, 0))
                        .part(2, new Message().text(1, "Node").text(3, "n1"));
        assertThat(ProtobufBody.parse(body("v1", "Binding", binding)).orElseThrow().toString())
                .isEqualTo(
                        "{\"kind\":\"Binding\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\","
                                + "\"namespace\":\"ns\"},\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}");
    }

    @Test
    void listsMapsTimesAndQuantitiesAreRead() {
        var spec =
                new Message()
                        .part(
                                2,
                                new Message()
                                        .text(1, "c")
                                        .part(
                                                8,
                                                new Message()
                                                        .part(
                                                                2,
                                                                new Message()
                                                                        .text(1, "cpu")
                                                                        .part(
                                                                                2,
                                                                                new Message()
                                                                                        .text(
                                                                                                1,
                                                                                                "500m")))))
                        .number(4, 0);
        var metadata =
                new Message()
                        .text(1, "p")
                        .part(8, new Message())
                        .part(9, new Message().number(1, 1_767_225_600L))
                        .part(11, new Message().text(1, "app").text(2, "web"));
        var pod = new Message().part(1, metadata).part(2, spec);
        var tree = ProtobufBody.parse(body("v1", "Pod", pod)).orElseThrow();
        assertThat(tree.at("/metadata/labels/app").asText()).isEqualTo("web");
        assertThat(tree.at("/metadata").has("creationTimestamp")).isFalse();
        assertThat(tree.at("/metadata/deletionTimestamp").asText())
                .isEqualTo("2026-01-01T00:00:00Z");
        assertThat(tree.at("/spec/containers/0/resources/requests/cpu").asText()).isEqualTo("500m");
        // terminationGracePeriodSeconds is a pointer: zero was said on purpose.
        assertThat(tree.at("/spec/terminationGracePeriodSeconds").asInt(-1)).isEqualTo(0);
    }

    @Test
    void embeddedMembersBelongToTheOuterObject() {
        var volume =
                new Message()
                        .text(1, "v")
                        .part(2, new Message().part(1, new Message().text(1, "/data")));
        var pod = new Message().part(2, new Message().part(1, volume));
        var tree = ProtobufBody.parse(body("v1", "Pod", pod)).orElseThrow();
        assertThat(tree.at("/spec/volumes/0").toString())
                .isEqualTo("{\"name\":\"v\",\"hostPath\":{\"path\":\"/data\"}}");
    }

    @Test
    void strangeBytesAreRefused() {
        assertThatThrownBy(() -> ProtobufBody.parse(new byte[] {1, 2, 3, 4, 5}))
                .hasMessageContaining("does not appear to be a protobuf message");
        byte[] cut = body("v1", "Binding", new Message().text(1, "x"));
        assertThatThrownBy(() -> ProtobufBody.parse(Arrays.copyOf(cut, cut.length - 6)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(ProtobufBody.parse(body("v1", "NoSuchKind", new Message()))).isEmpty();
    }
}
