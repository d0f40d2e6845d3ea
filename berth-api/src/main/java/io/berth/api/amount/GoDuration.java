package io.berth.api.amount;

import java.math.BigDecimal;
import java.time.Duration;

/// Durations as Go prints them: `1.5s`, `2m0s`, `300ms`, `0s`. Users read and match these texts.
public final class GoDuration {
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

    private static String decimal(long nanos, int scale) {
        var value = BigDecimal.valueOf(nanos, scale);
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
}
