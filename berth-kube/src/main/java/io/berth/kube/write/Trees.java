package io.berth.kube.write;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes trees of maps, lists, texts, numbers, booleans and null as JSON.
final class Trees {
    private Trees() {}

    /// @throws IllegalArgumentException where something else is in the tree
    static void write(@Nullable Object tree, JsonGenerator out) throws IOException {
        switch (tree) {
            case null -> out.writeNull();
            case Map<?, ?> map -> {
                out.writeStartObject();
                for (var field : map.entrySet()) {
                    out.writeFieldName(String.valueOf(field.getKey()));
                    write(field.getValue(), out);
                }
                out.writeEndObject();
            }
            case Iterable<?> list -> {
                out.writeStartArray();
                for (var element : list) {
                    write(element, out);
                }
                out.writeEndArray();
            }
            case String text -> out.writeString(text);
            case Boolean flag -> out.writeBoolean(flag);
            case Integer number -> out.writeNumber(number);
            case Long number -> out.writeNumber(number);
            case Double number -> out.writeNumber(number);
            default ->
                    throw new IllegalArgumentException(
                            "cannot be written as JSON: " + tree.getClass().getName());
        }
    }
}
