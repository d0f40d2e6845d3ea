package io.berth.apiserver.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.protobuf.MessageTable.Field;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/// Turns messages into the JSON that the same object would be.
final class MessageReader {
    private static final int MAX_DEPTH = 100;
    private static final String LIST = "[]";
    private static final String MAP = "map[]";
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private MessageReader() {}

    static Optional<ObjectNode> read(String message, byte[] bytes) {
        return MessageTable.instance()
                .fields(message)
                .map(fields -> object(fields, new WireReader(bytes), 0));
    }

    private static ObjectNode object(Map<Integer, Field> fields, WireReader reader, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("message nested too deeply");
        }
        ObjectNode object = Json.object();
        while (reader.hasMore()) {
            long tag = reader.varint();
            int wireType = (int) (tag & 7);
            Field field = fields.get((int) (tag >>> 3));
            if (field == null) {
                reader.skip(wireType);
                continue;
            }
            add(object, field, wireType, reader, depth);
        }
        return object;
    }

    private static void add(
            ObjectNode object, Field field, int wireType, WireReader reader, int depth) {
        String type = field.type();
        if (type.startsWith(LIST)) {
            ArrayNode list =
                    object.get(field.json()) instanceof ArrayNode known
                            ? known
                            : object.putArray(field.json());
            list.add(value(type.substring(LIST.length()), wireType, reader, depth));
        } else if (type.startsWith(MAP)) {
            entry(
                    Json.ensure(object, field.json()),
                    type.substring(MAP.length()),
                    reader.part(),
                    depth);
        } else {
            JsonNode value = value(type, wireType, reader, depth);
            if (field.inline()) {
                object.setAll((ObjectNode) value);
            } else if (!value.isNull() && (field.pointer() || field.always() || !isZero(value))) {
                object.set(field.json(), value);
            }
        }
    }

    private static boolean isZero(JsonNode value) {
        return switch (value) {
            case TextNode text -> text.textValue().isEmpty();
            case BooleanNode flag -> !flag.booleanValue();
            case IntNode number -> number.intValue() == 0;
            case LongNode number -> number.longValue() == 0;
            case DoubleNode number -> number.doubleValue() == 0;
            default -> false;
        };
    }

    private static void entry(ObjectNode map, String type, WireReader reader, int depth) {
        String key = "";
        JsonNode value = type.equals("string") ? TextNode.valueOf("") : NullNode.instance;
        while (reader.hasMore()) {
            long tag = reader.varint();
            int wireType = (int) (tag & 7);
            switch ((int) (tag >>> 3)) {
                case 1 -> key = reader.text();
                case 2 ->
                        value =
                                type.startsWith(LIST)
                                        ? items(type, reader.part(), depth)
                                        : value(type, wireType, reader, depth);
                default -> reader.skip(wireType);
            }
        }
        map.set(key, value);
    }

    /// A list as the value of a map is a message of its own around the items.
    private static ArrayNode items(String type, WireReader reader, int depth) {
        ArrayNode items = Json.array();
        while (reader.hasMore()) {
            long tag = reader.varint();
            items.add(value(type.substring(LIST.length()), (int) (tag & 7), reader, depth));
        }
        return items;
    }

    private static JsonNode value(String type, int wireType, WireReader reader, int depth) {
        return switch (type) {
            case "string" -> TextNode.valueOf(reader.text());
            case "bool" -> BooleanNode.valueOf(reader.varint() != 0);
            case "int32" -> IntNode.valueOf((int) reader.varint());
            case "int64" -> number(reader.varint());
            case "double" -> DoubleNode.valueOf(Double.longBitsToDouble(reader.fixed64()));
            case "bytes" ->
                    TextNode.valueOf(Base64.getEncoder().encodeToString(reader.part().rest()));
            case "quantity" -> wrapped(reader.part());
            case "json" -> json(reader.part());
            case "time" -> time(reader.part(), false);
            case "microTime" -> time(reader.part(), true);
            case "intOrString" -> intOrString(reader.part());
            default -> {
                if (wireType != WireReader.BYTES) {
                    throw new IllegalArgumentException("wrong wireType = " + wireType);
                }
                WireReader part = reader.part();
                yield MessageTable.instance()
                        .fields(type)
                        .<JsonNode>map(fields -> object(fields, part, depth + 1))
                        .orElse(NullNode.instance);
            }
        };
    }

    private static JsonNode number(long value) {
        return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    /// A message around one text.
    private static JsonNode wrapped(WireReader reader) {
        String text = "0";
        while (reader.hasMore()) {
            long tag = reader.varint();
            if (tag >>> 3 == 1) {
                text = reader.text();
            } else {
                reader.skip((int) (tag & 7));
            }
        }
        return TextNode.valueOf(text);
    }

    private static JsonNode json(WireReader reader) {
        byte[] raw = {};
        while (reader.hasMore()) {
            long tag = reader.varint();
            if (tag >>> 3 == 1) {
                raw = reader.part().rest();
            } else {
                reader.skip((int) (tag & 7));
            }
        }
        return raw.length == 0 ? NullNode.instance : Json.parse(raw);
    }

    private static JsonNode time(WireReader reader, boolean micros) {
        long seconds = 0;
        long nanos = 0;
        boolean set = false;
        while (reader.hasMore()) {
            long tag = reader.varint();
            switch ((int) (tag >>> 3)) {
                case 1 -> {
                    seconds = reader.varint();
                    set = true;
                }
                case 2 -> nanos = reader.varint();
                default -> reader.skip((int) (tag & 7));
            }
        }
        if (!set) {
            return NullNode.instance;
        }
        try {
            Instant instant = Instant.ofEpochSecond(seconds, nanos);
            return TextNode.valueOf(
                    micros ? MICROS.format(instant) : Instant.ofEpochSecond(seconds).toString());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("time out of range: " + seconds, e);
        }
    }

    private static JsonNode intOrString(WireReader reader) {
        boolean isText = false;
        int number = 0;
        String text = "";
        while (reader.hasMore()) {
            long tag = reader.varint();
            switch ((int) (tag >>> 3)) {
                case 1 -> isText = reader.varint() == 1;
                case 2 -> number = (int) reader.varint();
                case 3 -> text = reader.text();
                default -> reader.skip((int) (tag & 7));
            }
        }
        return isText ? TextNode.valueOf(text) : IntNode.valueOf(number);
    }
}
