package io.berth.kube.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Which fields of a message we read: in protobuf they have numbers, the readers know them by name.
/// All others are passed over.
final class Schema {
    enum Shape {
        SINGLE,
        /// Repeated in the message, once for each element.
        LIST,
        /// Repeated, each time with a key and a value.
        MAP,
        /// A message whose fields the JSON form has in the outer object.
        INLINE
    }

    /// What a value is where JSON has a text or a number and protobuf a message.
    enum Form {
        PLAIN,
        TIME,
        AMOUNT
    }

    /// @param form of the value, or of each element
    /// @param content the fields of the message that it holds; null for other values
    record Field(String name, Shape shape, Form form, @Nullable Schema content) {}

    /// The name under which an inline message is found.
    static final String INLINED = "";

    private @Nullable Field[] fields = {};

    @Nullable Field field(int number) {
        return number < fields.length ? fields[number] : null;
    }

    /// The number of the field with this name; -1 where we do not read it.
    int number(String name) {
        for (int i = 0; i < fields.length; i++) {
            var field = fields[i];
            if (field != null && field.name.equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /// A text, number or flag, or something of which only the presence counts.
    Schema with(int number, String name) {
        return add(number, new Field(name, Shape.SINGLE, Form.PLAIN, null));
    }

    Schema withTime(int number, String name) {
        return add(number, new Field(name, Shape.SINGLE, Form.TIME, null));
    }

    Schema with(int number, String name, Schema content) {
        return add(number, new Field(name, Shape.SINGLE, Form.PLAIN, content));
    }

    Schema withList(int number, String name) {
        return add(number, new Field(name, Shape.LIST, Form.PLAIN, null));
    }

    Schema withList(int number, String name, Schema content) {
        return add(number, new Field(name, Shape.LIST, Form.PLAIN, content));
    }

    /// A map from texts to values of a form.
    Schema withMap(int number, String name, Form form) {
        return add(number, new Field(name, Shape.MAP, form, null));
    }

    Schema withLabels(int number, String name) {
        return withMap(number, name, Form.PLAIN);
    }

    Schema withAmounts(int number, String name) {
        return withMap(number, name, Form.AMOUNT);
    }

    Schema withInline(int number, Schema content) {
        return add(number, new Field(INLINED, Shape.INLINE, Form.PLAIN, content));
    }

    private Schema add(int number, Field field) {
        if (number >= fields.length) {
            fields = Arrays.copyOf(fields, number + 1);
        }
        fields[number] = field;
        return this;
    }
}
