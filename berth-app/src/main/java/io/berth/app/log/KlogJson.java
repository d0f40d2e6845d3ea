package io.berth.app.log;

import io.berth.api.amount.GoDuration;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The JSON form: one object per line with `ts` in milliseconds, `caller`, `msg`, `v`, and the
/// entry's keys.
final class KlogJson {
    private KlogJson() {}

    static String line(LogEntry entry) {
        var out = new StringBuilder(200).append("{\"ts\":").append(millis(entry.time()));
        entry.logger().ifPresent(name -> appendPair(out, "logger", name));
        appendPair(out, "caller", entry.source());
        appendPair(out, "msg", entry.sentence());
        if (entry.severity() == LogEntry.Severity.INFO) {
            appendPair(out, "v", entry.verbosity());
        }
        for (LogEntry.Pair pair : entry.pairs()) {
            appendPair(out, pair.key(), pair.value());
        }
        entry.cause().ifPresent(cause -> appendPair(out, "err", Causes.sentence(cause)));
        entry.cause().flatMap(Causes::trace).ifPresent(trace -> appendPair(out, "stack", trace));
        return out.append('}').toString();
    }

    private static String millis(Instant time) {
        long micros = time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
        return BigDecimal.valueOf(micros, 3).toPlainString();
    }

    private static void appendPair(StringBuilder out, String key, @Nullable Object value) {
        out.append(',');
        appendString(out, key);
        out.append(':');
        appendValue(out, value);
    }

    static void appendValue(StringBuilder out, @Nullable Object value) {
        switch (value) {
            case null -> out.append("null");
            case Double number when !Double.isFinite(number) -> appendString(out, "" + number);
            case Float number when !Float.isFinite(number) -> appendString(out, "" + number);
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            case Duration duration -> appendString(out, GoDuration.format(duration));
            case Throwable problem -> appendString(out, Causes.sentence(problem));
            case Map<?, ?> map -> appendMap(out, map);
            case Iterable<?> list when !(value instanceof java.nio.file.Path) ->
                    appendList(out, list);
            default -> appendString(out, value.toString());
        }
    }

    private static void appendMap(StringBuilder out, Map<?, ?> map) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            appendString(out, String.valueOf(entry.getKey()));
            out.append(':');
            appendValue(out, entry.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void appendList(StringBuilder out, Iterable<?> list) {
        out.append('[');
        String separator = "";
        for (Object item : list) {
            out.append(separator);
            appendValue(out, item);
            separator = ",";
        }
        out.append(']');
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            switch (letter) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (letter < 0x20) {
                        out.append(String.format("\\u%04x", (int) letter));
                    } else {
                        out.append(letter);
                    }
                }
            }
        }
        out.append('"');
    }
}
