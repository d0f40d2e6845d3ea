package io.berth.api.amount;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as Go prints them: `1.5s`, `2m0s`, `300ms`, `0s`. Users read and match these texts.
public final class GoDuration {
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Pattern PART =
            Pattern.compile(
                    "([0-9]{1,20}(?:\\.[0-9]{0,20})?|\\.[0-9]{1,20})(h|ms|m|s|us|µs|μs|ns)");

    private GoDuration() {}

    public static String format(Duration duration) {
        long nanos = duration.abs().toNanos();
        String sign = duration.isNegative() ? "-" : "";
        if (nanos == 0) {
            return "0s";
        }
        if (nanos < 1_000) {
            return sign + nanos + "ns";
        }
        if (nanos < 1_000_000) {
            return sign + decimal(nanos, 3) + "µs";
        }
        if (nanos < 1_000_000_000) {
            return sign + decimal(nanos, 6) + "ms";
        }
        long minutes = nanos / 60_000_000_000L;
        String seconds = decimal(nanos % 60_000_000_000L, 9) + "s";
        if (minutes == 0) {
            return sign + seconds;
        }
        String hours = minutes >= 60 ? minutes / 60 + "h" : "";
        return sign + hours + minutes % 60 + "m" + seconds;
    }

    /// Reads a duration that is not negative.
    ///
    /// @throws IllegalArgumentException where the text is none
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        var parts = PART.matcher(text);
        var nanos = BigDecimal.ZERO;
        int end = 0;
        while (parts.find() && parts.start() == end) {
            end = parts.end();
            var amount = Numbers.decimal(parts.group(1));
            nanos = nanos.add(amount.multiply(BigDecimal.valueOf(nanosOf(parts.group(2)))));
        }
        if (text.isEmpty() || end != text.length() || nanos.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "\"" + Numbers.shown(text) + "\" is no duration such as 10s or 1h30m");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "h" -> 3_600_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "s" -> 1_000_000_000L;
            case "ms" -> 1_000_000L;
            case "ns" -> 1L;
            default -> 1_000L;
        };
    }

    private static String decimal(long nanos, int scale) {
        var value = BigDecimal.valueOf(nanos, scale);
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
}
