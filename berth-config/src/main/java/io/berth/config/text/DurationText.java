package io.berth.config.text;

import io.berth.api.amount.Numbers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads durations as Go writes them: `1h30m0s`, `-1.5s`, `100ms`, `0`.
public final class DurationText {
    private static final Map<String, Long> UNITS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "μs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);
    private static final Pattern PART = Pattern.compile("([0-9]*)(\\.[0-9]*)?([^0-9.]*)");

    private DurationText() {}

    /// @throws IllegalArgumentException with Go's words where the text is no duration
    public static Duration parse(String text) {
        boolean negative = text.startsWith("-");
        var rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty() || Numbers.isTooLong(rest)) {
            throw invalid(text);
        }
        var sum = BigInteger.ZERO;
        while (!rest.isEmpty()) {
            var part = PART.matcher(rest);
            if (!part.lookingAt()) {
                throw invalid(text);
            }
            sum = sum.add(nanos(part.group(1), part.group(2), part.group(3), text));
            rest = rest.substring(part.end());
        }
        if (sum.bitLength() > 63) {
            throw invalid(text);
        }
        return Duration.ofNanos(negative ? -sum.longValue() : sum.longValue());
    }

    private static BigInteger nanos(
            String whole, @Nullable String fraction, String unit, String text) {
        var number = whole + (fraction == null ? "" : fraction);
        if (number.isEmpty() || number.equals(".")) {
            throw invalid(text);
        }
        if (unit.isEmpty()) {
            throw new IllegalArgumentException(
                    "time: missing unit in duration " + JsonWriter.quoted(text));
        }
        var nanos = UNITS.get(unit);
        if (nanos == null) {
            throw new IllegalArgumentException(
                    "time: unknown unit %s in duration %s"
                            .formatted(JsonWriter.quoted(unit), JsonWriter.quoted(text)));
        }
        return Numbers.decimal(number).multiply(BigDecimal.valueOf(nanos)).toBigInteger();
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "time: invalid duration " + JsonWriter.quoted(Numbers.shown(text)));
    }
}
