package io.berth.kube.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.api.model.Kind;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Schema.Field;
import io.berth.kube.codec.wire.Schema.Form;
import io.berth.kube.protobuf.Envelope;
import io.berth.kube.protobuf.Fields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// Writes objects of the API as protobuf, as far as our readers know them: a stand-in for a server
/// that does so, where a rehearsal wants the reading exercised.
public final class ProtobufOutput {
    private static final JsonFactory JSON = new JsonFactory();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private ProtobufOutput() {}

    /// A frame of a watch: an event that tells of the object.
    public static byte[] event(String type, Kind kind, byte[] json) throws IOException {
        var object = new ProtobufOutput();
        try (var parser = JSON.createParser(json)) {
            parser.nextToken();
            object.writeObject(parser, KindTable.of(kind).schema());
        }
        var envelope = new ProtobufOutput();
        envelope.out.writeBytes(Envelope.magic());
        envelope.write(Envelope.OBJECT, object);
        var raw = new ProtobufOutput();
        raw.write(1, envelope);
        var event = new ProtobufOutput();
        event.write(1, type);
        event.write(2, raw);
        byte[] bytes = event.out.toByteArray();
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    private void writeObject(JsonParser parser, Schema schema) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            int number = schema.number(name);
            var field = number < 0 ? null : schema.field(number);
            if (field != null) {
                writeField(parser, number, field);
            } else {
                writeInline(parser, name, schema);
            }
        }
    }

    private void writeInline(JsonParser parser, String name, Schema schema) throws IOException {
        int outer = schema.number(Schema.INLINED);
        var holder = outer < 0 ? null : schema.field(outer);
        var content = holder == null ? null : holder.content();
        int number = content == null ? -1 : content.number(name);
        var field = number < 0 || content == null ? null : content.field(number);
        if (field == null) {
            parser.skipChildren();
            return;
        }
        var inner = new ProtobufOutput();
        inner.writeField(parser, number, field);
        write(outer, inner);
    }

    private void writeField(JsonParser parser, int number, Field field) throws IOException {
        switch (field.shape()) {
            case LIST -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    writeValue(parser, number, field);
                }
            }
            case MAP -> {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    var entry = new ProtobufOutput();
                    entry.write(1, parser.currentName());
                    parser.nextToken();
                    entry.writeValue(parser, 2, field);
                    write(number, entry);
                }
            }
            case SINGLE, INLINE -> writeValue(parser, number, field);
        }
    }

    private void writeValue(JsonParser parser, int number, Field field) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                var inner = new ProtobufOutput();
                if (field.form() == Form.JSON) {
                    var raw = new ByteArrayOutputStream();
                    try (var copy = JSON.createGenerator(raw)) {
                        copy.copyCurrentStructure(parser);
                    }
                    inner.write(1, raw.toByteArray());
                } else if (field.content() == null) {
                    parser.skipChildren();
                } else {
                    inner.writeObject(parser, field.content());
                }
                write(number, inner);
            }
            case VALUE_TRUE, VALUE_FALSE -> write(number, parser.getBooleanValue() ? 1 : 0);
            case VALUE_STRING, VALUE_NUMBER_INT -> writeText(parser, number, field.form());
            default -> parser.skipChildren();
        }
    }

    private void writeText(JsonParser parser, int number, Form form) throws IOException {
        switch (form) {
            case PLAIN, JSON -> {
                if (parser.currentToken() == JsonToken.VALUE_STRING) {
                    write(number, parser.getText());
                } else {
                    write(number, parser.getLongValue());
                }
            }
            case AMOUNT -> {
                var amount = new ProtobufOutput();
                amount.write(1, parser.getText());
                write(number, amount);
            }
            case TIME -> {
                var time = new ProtobufOutput();
                time.write(1, Instant.parse(parser.getText()).getEpochSecond());
                write(number, time);
            }
        }
    }

    private void write(int number, long value) {
        varint(Fields.tag(number, Fields.VARINT));
        varint(value);
    }

    private void write(int number, String text) {
        write(number, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(int number, ProtobufOutput message) {
        write(number, message.out.toByteArray());
    }

    private void write(int number, byte[] bytes) {
        varint(Fields.tag(number, Fields.BYTES));
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
