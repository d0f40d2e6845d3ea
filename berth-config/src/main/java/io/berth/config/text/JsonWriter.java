package io.berth.config.text;

import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Text;

/// Writes JSON as Go does: no blanks, fields in the given order, `<`, `>` and `&` escaped.
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    public static String write(Value value) {
        var writer = new JsonWriter();
        writer.value(value);
        return writer.out.toString();
    }

    /// The text as a JSON string, which in error messages stands for Go's quoting too.
    public static String quoted(String text) {
        var writer = new JsonWriter();
        writer.text(text, false);
        return writer.out.toString();
    }

    private void value(Value value) {
        switch (value) {
            case Fields fields -> {
                var separator = "{";
                for (var entry : fields.entries().entrySet()) {
                    out.append(separator);
                    text(entry.getKey(), true);
                    out.append(':');
                    value(entry.getValue());
                    separator = ",";
                }
                out.append(fields.entries().isEmpty() ? "{}" : "}");
            }
            case Items items -> {
                var separator = "[";
                for (var item : items.items()) {
                    out.append(separator);
                    value(item);
                    separator = ",";
                }
                out.append(items.items().isEmpty() ? "[]" : "]");
            }
            case Text text -> text(text.text(), true);
            case Numeral number -> out.append(number.literal());
            case Flag flag -> out.append(flag.set());
            case Nothing nothing -> out.append("null");
        }
    }

    private void text(String text, boolean forHtml) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '<', '>', '&' -> {
                    if (forHtml) {
                        out.append("\\u00%02x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
                case '\u2028', '\u2029' -> out.append("\\u%04x".formatted((int) c));
                default -> {
                    if (c < ' ') {
                        out.append("\\u%04x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
