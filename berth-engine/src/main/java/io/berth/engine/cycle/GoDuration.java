package io.berth.engine.cycle;

import java.math.BigDecimal;
import java.time.Duration;

/// Durations as Go prints them, since users read and match these texts: `10s`, `1.5s`, `5m0s`,
/// `100ms`.
final class GoDuration {
    private GoDuration() {}

    static String format(Duration duration) {
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        if (duration.isZero()) {
            return "0s";
        }
        long nanos = duration.toNanos();
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        if (nanos < 1_000_000) {
            return decimal(nanos, 3) + "µs";
        }
        if (nanos < 1_000_000_000) {
            return decimal(nanos, 6) + "ms";
        }
        long hours = duration.toHours();
        long minutes = duration.toMinutesPart();
        String seconds = decimal(nanos % 60_000_000_000L, 9) + "s";
        if (hours > 0) {
            return hours + "h" + minutes + "m" + seconds;
        }
        return minutes > 0 ? minutes + "m" + seconds : seconds;
    }

    private static String decimal(long value, int places) {
        var number = BigDecimal.valueOf(value, places).stripTrailingZeros();
        return number.toPlainString();
    }
}
