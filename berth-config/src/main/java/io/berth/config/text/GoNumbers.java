package io.berth.config.text;

import io.berth.api.amount.Numbers;
import java.math.BigDecimal;

/// Floating-point numbers as Go's JSON encoder writes them.
public final class GoNumbers {
    private GoNumbers() {}

    /// The shortest text that reads back as the same number.
    public static String shortest(double number) {
        return written(BigDecimal.valueOf(number), number);
    }

    /// The shortest text that reads back as the same 32-bit number.
    public static String shortest(float number) {
        return written(Numbers.decimal(Float.toString(number)), number);
    }

    private static String written(BigDecimal decimal, double number) {
        if (number == 0) {
            return "0";
        }
        double size = Math.abs(number);
        var digits = decimal.stripTrailingZeros();
        if (size >= 1e-6 && size < 1e21) {
            return digits.toPlainString();
        }
        var unscaled = digits.unscaledValue().abs().toString();
        int exponent = unscaled.length() - 1 - digits.scale();
        var fraction = unscaled.length() > 1 ? "." + unscaled.substring(1) : "";
        return (number < 0 ? "-" : "")
                + unscaled.charAt(0)
                + fraction
                + "e"
                + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 && exponent > 0 ? "0" : "")
                + Math.abs(exponent);
    }
}
