package io.berth.serving.metrics;

import java.math.BigDecimal;

/// Writes numbers as Go's `%g` does, in as few digits as tell them apart: `0.001`, `1e-05`,
/// `1e+06`. Bounds of buckets are label values, so rules that name one must find it.
public final class GoNumber {
    private static final int LEAST_PLAIN_EXPONENT = -4;
    private static final int LEAST_LARGE_EXPONENT = 6;

    private GoNumber() {}

    public static String format(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        if (number == 0) {
            return "0";
        }
        var decimal = BigDecimal.valueOf(Math.abs(number)).stripTrailingZeros();
        String digits = decimal.unscaledValue().toString();
        int exponent = digits.length() - decimal.scale() - 1;
        String text =
                exponent < LEAST_PLAIN_EXPONENT || exponent >= LEAST_LARGE_EXPONENT
                        ? scientific(digits, exponent)
                        : decimal.toPlainString();
        return number < 0 ? "-" + text : text;
    }

    private static String scientific(String digits, int exponent) {
        String mantissa =
                digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        String size = Integer.toString(Math.abs(exponent));
        return mantissa + (exponent < 0 ? "e-" : "e+") + (size.length() == 1 ? "0" + size : size);
    }
}
