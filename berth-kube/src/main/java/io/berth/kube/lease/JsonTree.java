package io.berth.kube.lease;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A JSON object as maps and lists, for small objects that are sent back with what we do not know
/// about them unchanged.
final class JsonTree {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonTree() {}

    /// @throws IOException where the bytes are no JSON object
    static Map<String, @Nullable Object> parse(byte[] bytes) throws IOException {
        try (var parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            return object(parser);
        }
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        var result = new LinkedHashMap<String, @Nullable Object>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            result.put(name, value(parser));
        }
        return result;
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                var list = new ArrayList<@Nullable Object>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("unexpected " + parser.currentToken());
        };
    }

    static byte[] bytes(Map<String, ? extends @Nullable Object> object) {
        var bytes = new ByteArrayOutputStream(512);
        try (var out = JSON.createGenerator(bytes)) {
            write(out, object);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeNull();
            case Map<?, ?> map -> {
                out.writeStartObject();
                for (var entry : map.entrySet()) {
                    out.writeFieldName(String.valueOf(entry.getKey()));
                    write(out, entry.getValue());
                }
                out.writeEndObject();
            }
            case List<?> list -> {
                out.writeStartArray();
                for (var element : list) {
                    write(out, element);
                }
                out.writeEndArray();
            }
            case Boolean flag -> out.writeBoolean(flag);
            case Number number -> out.writeNumber(number.toString());
            default -> out.writeString(value.toString());
        }
    }

    /// The object at a field, made where there is none.
    @SuppressWarnings("unchecked") // parse() makes no other maps
    static Map<String, @Nullable Object> child(Map<String, @Nullable Object> parent, String name) {
        if (parent.get(name) instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        var made = new LinkedHashMap<String, @Nullable Object>();
        parent.put(name, made);
        return made;
    }

    static String text(Map<String, @Nullable Object> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    static int number(Map<String, @Nullable Object> object, String name) {
        return object.get(name) instanceof Number number ? number.intValue() : 0;
    }
}
