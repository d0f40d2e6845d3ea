package io.berth.config.text;

import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Text;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes JSON as Go does: no blanks, fields in the given order, `<`, `>` and `&` escaped.
public final class JsonWriter {
    private static final int PIECE = 8192;

    private final StringBuilder out = new StringBuilder();

    /// Where pieces go that are complete; null where the whole is wanted as text.
    private final @Nullable ByteArrayOutputStream bytes;

    private JsonWriter(@Nullable ByteArrayOutputStream bytes) {
        this.bytes = bytes;
    }

    public static String write(Value value) {
        var writer = new JsonWriter(null);
        writer.value(value);
        return writer.out.toString();
    }

    /// The same as bytes, with the end of a line. Never the whole of it as text besides.
    public static byte[] line(Value value) {
        var bytes = new ByteArrayOutputStream(PIECE);
        var writer = new JsonWriter(bytes);
        writer.value(value);
        writer.out.append('\n');
        writer.pass(bytes);
        return bytes.toByteArray();
    }

    /// The text as a JSON string, which in error messages stands for Go's quoting too.
    public static String quoted(String text) {
        var writer = new JsonWriter(null);
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
        if (bytes != null && out.length() >= PIECE) {
            pass(bytes);
        }
    }

    /// Between values, so that no character is taken apart.
    private void pass(ByteArrayOutputStream to) {
        to.writeBytes(out.toString().getBytes(StandardCharsets.UTF_8));
        out.setLength(0);
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
