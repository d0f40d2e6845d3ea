package io.berth.app.log;

import io.berth.api.amount.GoDuration;
import io.berth.config.text.GoText;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The text form: `I1115 20:34:26.123456 12345 Binder.java:42] "Bound pod" pod="a/b" node="n1"`.
final class KlogText {
    private KlogText() {}

    static String line(LogEntry entry, long pid) {
        var out = new StringBuilder(160);
        appendHeader(out, entry, pid);
        out.append(entry.formatted() ? entry.sentence() : GoText.quote(entry.sentence()));
        entry.logger().ifPresent(name -> appendPair(out, "logger", name));
        entry.cause().ifPresent(cause -> appendPair(out, "err", Causes.sentence(cause)));
        for (LogEntry.Pair pair : entry.pairs()) {
            appendPair(out, pair.key(), pair.value());
        }
        entry.cause().flatMap(Causes::trace).ifPresent(trace -> appendPair(out, "stack", trace));
        return out.toString();
    }

    private static void appendHeader(StringBuilder out, LogEntry entry, long pid) {
        var time = LocalDateTime.ofInstant(entry.time(), ZoneId.systemDefault());
        out.append(
                String.format(
                        Locale.ROOT,
                        "%c%02d%02d %02d:%02d:%02d.%06d %7d %s] ",
                        entry.severity().letter,
                        time.getMonthValue(),
                        time.getDayOfMonth(),
                        time.getHour(),
                        time.getMinute(),
                        time.getSecond(),
                        time.getNano() / 1000,
                        pid,
                        entry.source()));
    }

    private static void appendPair(StringBuilder out, String key, @Nullable Object value) {
        out.append(' ').append(key).append('=');
        switch (value) {
            case null -> out.append("null");
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            case Collection<?> list -> KlogJson.appendValue(out, list);
            case Map<?, ?> map -> KlogJson.appendValue(out, map);
            case Duration duration -> out.append(GoText.quote(GoDuration.format(duration)));
            case Throwable problem -> appendText(out, Causes.sentence(problem));
            default -> appendText(out, value.toString());
        }
    }

    /// Text of several lines is shown as such, between `<` and ` >`.
    private static void appendText(StringBuilder out, String text) {
        if (text.indexOf('\n') < 0) {
            out.append(GoText.quote(text));
        } else {
            out.append("<\n\t").append(text.strip().replace("\n", "\n\t")).append("\n >");
        }
    }
}
