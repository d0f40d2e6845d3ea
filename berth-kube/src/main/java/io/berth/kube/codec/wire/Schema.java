package io.berth.kube.codec.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Which fields of a message we read: in protobuf they have numbers, the readers know them by name.
/// All others are passed over.
public final class Schema {
    public enum Shape {
        SINGLE,
        /// Repeated in the message, once for each element.
        LIST,
        /// Repeated, each time with a key and a value.
        MAP,
        /// A message whose fields the JSON form has in the outer object.
        INLINE
    }

    /// What a value is where JSON has a text or a number and protobuf a message.
    public enum Form {
        PLAIN,
        TIME,
        AMOUNT,
        JSON
    }

    /// @param form of the value, or of each element
    /// @param content the fields of the message that it holds; null for other values
    public record Field(String name, Shape shape, Form form, @Nullable Schema content) {
        /// What the entries of a map hold.
        public Field value() {
            return content == null ? this : new Field(name, Shape.SINGLE, form, content);
        }
    }

    /// The name under which an inline message is found.
    public static final String INLINED = "";

    private @Nullable Field[] fields = {};

    public @Nullable Field field(int number) {
        return number < fields.length ? fields[number] : null;
    }

    /// The number of the field with this name; -1 where we do not read it.
    public int number(String name) {
        for (int i = 0; i < fields.length; i++) {
            var field = fields[i];
            if (field != null && field.name.equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /// A text, number or flag, or something of which only the presence counts.
    public Schema with(int number, String name) {
        return add(number, new Field(name, Shape.SINGLE, Form.PLAIN, null));
    }

    public Schema withTime(int number, String name) {
        return add(number, new Field(name, Shape.SINGLE, Form.TIME, null));
    }

    public Schema with(int number, String name, Schema content) {
        return add(number, new Field(name, Shape.SINGLE, Form.PLAIN, content));
    }

    public Schema withJson(int number, String name) {
        return add(number, new Field(name, Shape.SINGLE, Form.JSON, null));
    }

    public Schema withAmount(int number, String name) {
        return add(number, new Field(name, Shape.SINGLE, Form.AMOUNT, null));
    }

    public Schema withAmountList(int number, String name) {
        return add(number, new Field(name, Shape.LIST, Form.AMOUNT, null));
    }

    public Schema withList(int number, String name) {
        return add(number, new Field(name, Shape.LIST, Form.PLAIN, null));
    }

    public Schema withList(int number, String name, Schema content) {
        return add(number, new Field(name, Shape.LIST, Form.PLAIN, content));
    }

    /// A map from texts to values of a form.
    public Schema withMap(int number, String name, Form form) {
        return add(number, new Field(name, Shape.MAP, form, null));
    }

    /// A map from texts to messages.
    public Schema withMap(int number, String name, Schema content) {
        return add(number, new Field(name, Shape.MAP, Form.PLAIN, content));
    }

    public Schema withLabels(int number, String name) {
        return withMap(number, name, Form.PLAIN);
    }

    public Schema withAmounts(int number, String name) {
        return withMap(number, name, Form.AMOUNT);
    }

    public Schema withInline(int number, Schema content) {
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
