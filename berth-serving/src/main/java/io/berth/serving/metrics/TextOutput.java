package io.berth.serving.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;

/// Writes the text format of Prometheus, version 0.0.4. One use, one thread.
final class TextOutput {
    private static final int BUFFER = 16 * 1024;
    private static final long MOST_PLAIN = 1_000_000;

    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int size;
    private final IdentityHashMap<Buckets, String[]> boundTexts = new IdentityHashMap<>();

    TextOutput(OutputStream out) {
        this.out = out;
    }

    void head(Definition metric) throws IOException {
        text("# HELP ");
        text(metric.name());
        text(" ");
        text(metric.helpLine().replace("\\", "\\\\").replace("\n", "\\n"));
        text("\n# TYPE ");
        text(metric.name());
        text(" ");
        text(metric.type().text());
        text("\n");
    }

    void sample(String name, String suffix, String labelText, long value) throws IOException {
        series(name, suffix, labelText);
        number(value);
        text("\n");
    }

    void sample(String name, String suffix, String labelText, double value) throws IOException {
        series(name, suffix, labelText);
        text(GoNumber.format(value));
        text("\n");
    }

    void bucket(String name, String labelText, String bound, long count) throws IOException {
        text(name);
        text("_bucket{");
        if (!labelText.isEmpty()) {
            text(labelText);
            text(",");
        }
        text("le=\"");
        text(bound);
        text("\"} ");
        number(count);
        text("\n");
    }

    private void series(String name, String suffix, String labelText) throws IOException {
        text(name);
        text(suffix);
        if (!labelText.isEmpty()) {
            text("{");
            text(labelText);
            text("}");
        }
        text(" ");
    }

    /// The bounds as they stand in the label `le`, worked out once for many series.
    String[] boundTexts(Buckets buckets) {
        return boundTexts.computeIfAbsent(
                buckets,
                some -> {
                    var texts = new String[some.bounds().size() + 1];
                    for (int i = 0; i < texts.length - 1; i++) {
                        texts[i] = GoNumber.format(some.bounds().get(i));
                    }
                    texts[texts.length - 1] = "+Inf";
                    return texts;
                });
    }

    private void number(long value) throws IOException {
        text(
                value > -MOST_PLAIN && value < MOST_PLAIN
                        ? Long.toString(value)
                        : GoNumber.format((double) value));
    }

    private void text(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter >= 0x80) {
                bytes(text.substring(i).getBytes(StandardCharsets.UTF_8));
                return;
            }
            room(1);
            buffer[size++] = (byte) letter;
        }
    }

    private void bytes(byte[] bytes) throws IOException {
        for (byte one : bytes) {
            room(1);
            buffer[size++] = one;
        }
    }

    private void room(int needed) throws IOException {
        if (size + needed > BUFFER) {
            flush();
        }
    }

    void flush() throws IOException {
        out.write(buffer, 0, size);
        size = 0;
    }

    /// `name="value"` pairs as they are written.
    static String labelText(Iterable<String> names, String... values) {
        var text = new StringBuilder();
        int i = 0;
        for (var name : names) {
            if (i > 0) {
                text.append(',');
            }
            text.append(name).append("=\"").append(escaped(values[i++])).append('"');
        }
        return text.toString();
    }

    private static String escaped(String value) {
        if (value.indexOf('\\') < 0 && value.indexOf('"') < 0 && value.indexOf('\n') < 0) {
            return value;
        }
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }
}
