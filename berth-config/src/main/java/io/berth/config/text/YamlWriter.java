package io.berth.config.text;

import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Text;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Tag;

/// Writes YAML as kube-scheduler does: keys sorted, two blanks, lists flush with their key, strings
/// plain where they stay strings.
public final class YamlWriter {
    private static final Pattern PLAIN =
            Pattern.compile(
                    "[A-Za-z0-9_./$()+;^=\\p{L}][A-Za-z0-9_./$()+;^*=<>~@%&!|'\"`,\\[\\]{}?:# \\p{L}-]*");

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    public static String write(Value value) {
        var writer = new YamlWriter();
        writer.block(value, 0);
        return writer.out.toString();
    }

    /// A value that begins on a line of its own.
    private void block(Value value, int indent) {
        switch (value) {
            case Fields fields when !fields.entries().isEmpty() -> fields(fields, indent, false);
            case Items items when !items.items().isEmpty() -> items(items.items(), indent);
            default -> out.append(inline(value)).append('\n');
        }
    }

    private void fields(Fields fields, int indent, boolean firstIsIndented) {
        boolean indented = firstIsIndented;
        for (var entry : new TreeMap<>(fields.entries()).entrySet()) {
            out.append(" ".repeat(indented ? 0 : indent)).append(text(entry.getKey())).append(':');
            indented = false;
            switch (entry.getValue()) {
                case Fields inner when !inner.entries().isEmpty() -> {
                    out.append('\n');
                    fields(inner, indent + 2, false);
                }
                case Items inner when !inner.items().isEmpty() -> {
                    out.append('\n');
                    items(inner.items(), indent);
                }
                case Text text when text.text().contains("\n") -> literal(text.text(), indent + 2);
                case Value scalar -> out.append(' ').append(inline(scalar)).append('\n');
            }
        }
    }

    private void items(List<Value> items, int indent) {
        for (var item : items) {
            out.append(" ".repeat(indent)).append("- ");
            switch (item) {
                case Fields inner when !inner.entries().isEmpty() ->
                        fields(inner, indent + 2, true);
                case Items inner when !inner.items().isEmpty() -> {
                    var nested = new YamlWriter();
                    nested.items(inner.items(), indent + 2);
                    out.append(nested.out.substring(indent + 2));
                }
                case Text text when text.text().contains("\n") -> {
                    out.setLength(out.length() - 1);
                    literal(text.text(), indent + 2);
                }
                case Value scalar -> out.append(inline(scalar)).append('\n');
            }
        }
    }

    /// Several lines, told apart by indentation.
    private void literal(String text, int indent) {
        var body = text.stripTrailing();
        int newlines = text.length() - body.length();
        if (newlines > 1 || !text.equals(body + "\n".repeat(newlines)) || body.startsWith(" ")) {
            out.append(' ').append(doubleQuoted(text)).append('\n');
            return;
        }
        out.append(newlines == 1 ? " |\n" : " |-\n");
        body.lines()
                .forEach(line ->
                        out.append(line.isEmpty() ? "" : " ".repeat(indent) + line).append('\n'));
    }

    private static String inline(Value value) {
        return value instanceof Text text ? text(text.text()) : JsonWriter.write(value);
    }

    private static String text(String text) {
        if (text.isEmpty()) {
            return "\"\"";
        }
        if (!GoScalars.tag(text).equals(Tag.STR) || looksLikeTime(text)) {
            return doubleQuoted(text);
        }
        if (isPlain(text)) {
            return text;
        }
        return text.chars().allMatch(YamlWriter::isPrintable)
                ? "'" + text.replace("'", "''") + "'"
                : doubleQuoted(text);
    }

    private static boolean isPrintable(int c) {
        return c >= ' ' && c != 0x7f && !Character.isSurrogate((char) c);
    }

    private static String doubleQuoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> {
                    switch (c) {
                        case '"', '\\' -> quoted.append('\\').appendCodePoint(c);
                        case 0x07 -> quoted.append("\\a");
                        case '\b' -> quoted.append("\\b");
                        case '\t' -> quoted.append("\\t");
                        case '\n' -> quoted.append("\\n");
                        case '\r' -> quoted.append("\\r");
                        case 0x1b -> quoted.append("\\e");
                        default -> {
                            if (c > 0xffff) {
                                quoted.append("\\U%08X".formatted(c));
                            } else if (!isPrintable(c)) {
                                quoted.append("\\x%02X".formatted(c));
                            } else {
                                quoted.appendCodePoint(c);
                            }
                        }
                    }
                });
        return quoted.append('"').toString();
    }

    private static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches()
                        && !text.contains(": ")
                        && !text.contains(" #")
                        && !text.endsWith(":")
                        && !text.endsWith(" ")
                || startsWithDash(text);
    }

    private static boolean startsWithDash(String text) {
        return text.length() > 1
                && text.charAt(0) == '-'
                && text.charAt(1) != ' '
                && isPlain(text.substring(1));
    }

    private static boolean looksLikeTime(String text) {
        return text.matches("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|[-+]?[0-9]+(:[0-5]?[0-9])+");
    }
}
