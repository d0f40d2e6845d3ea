package io.berth.config.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/// Durations as Go writes them: `1h30m0s`, `1.5s`, `100ms`.
public final class GoDuration {
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

    private GoDuration() {}

    /// @throws IllegalArgumentException with Go's words where the text is no duration
    public static Duration parse(String text) {
        var rest = text;
        boolean negative = rest.startsWith("-");
        if (negative || rest.startsWith("+")) {
            rest = rest.substring(1);
        }
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty()) {
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
            String whole,
            @org.jspecify.annotations.Nullable String fraction,
            String unit,
            String text) {
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
        var padded = number.startsWith(".") ? "0" + number : number;
        return new BigDecimal(padded.endsWith(".") ? padded + "0" : padded)
                .multiply(BigDecimal.valueOf(nanos))
                .toBigInteger();
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("time: invalid duration " + JsonWriter.quoted(text));
    }

    public static String format(Duration duration) {
        var nanos = nanos(duration);
        if (nanos.signum() == 0) {
            return "0s";
        }
        var sign = nanos.signum() < 0 ? "-" : "";
        long left = nanos.abs().longValue();
        if (left < 1_000L) {
            return sign + left + "ns";
        }
        if (left < 1_000_000L) {
            return sign + decimal(left, 3) + "µs";
        }
        if (left < 1_000_000_000L) {
            return sign + decimal(left, 6) + "ms";
        }
        long minutes = left / 60_000_000_000L;
        var seconds = decimal(left % 60_000_000_000L, 9) + "s";
        if (minutes == 0) {
            return sign + seconds;
        }
        var hours = minutes / 60 == 0 ? "" : minutes / 60 + "h";
        return sign + hours + minutes % 60 + "m" + seconds;
    }

    private static String decimal(long nanos, int places) {
        var number = BigDecimal.valueOf(nanos, places);
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    private static BigInteger nanos(Duration duration) {
        return BigInteger.valueOf(duration.getSeconds())
                .multiply(BigInteger.valueOf(1_000_000_000L))
                .add(BigInteger.valueOf(duration.getNano()));
    }
}
