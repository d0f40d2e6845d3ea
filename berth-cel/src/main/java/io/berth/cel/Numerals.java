package io.berth.cel;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// Numbers as kube-scheduler spells them in templates.
final class Numerals {
    private static final String NO_CLAUSE = "%!(NOVERB)";
    private static final int MAX_NUMBER = 1_000_000;
    private static final int MAX_PLAIN_EXPONENT = 6;
    private static final int SIGNIFICANT = 7;
    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private Numerals() {}

    /// With the fewest digits that tell it from all others, as `string()` has it.
    static String shortest(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        var exact = fewest(Math.abs(number));
        int exponent = exact.precision() - exact.scale() - 1;
        if (exponent >= -4 && exponent < MAX_PLAIN_EXPONENT) {
            return sign(number) + exact.toPlainString();
        }
        String digits = exact.unscaledValue().toString();
        String tail = digits.length() == 1 ? "" : "." + digits.substring(1);
        return sign(number)
                + digits.charAt(0)
                + tail
                + (exponent < 0 ? "e-" : "e+")
                + twoDigits(Math.abs(exponent));
    }

    /// Java spells the smallest numbers with two digits where one does.
    private static BigDecimal fewest(double number) {
        var digits = BigDecimal.valueOf(number).stripTrailingZeros();
        var one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
        return one.doubleValue() == number ? one : digits;
    }

    /// Inside of lists and maps.
    static String inner(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return shortest(number);
        }
        boolean isNegative = number < 0 || 1 / number < 0;
        return (isNegative ? "-" : "") + rounded(Math.abs(number), 6).toPlainString();
    }

    /// In groups of three digits, as in English.
    ///
    /// @param precision how many digits come after the point; those that kube-scheduler keeps in 8
    ///   or 16 bits are lost here too
    static String fixed(double number, long precision) {
        if (precision / 10 > MAX_NUMBER) {
            return NO_CLAUSE;
        }
        String special = special(number);
        if (special != null) {
            return special;
        }
        int atLeast = (int) (precision & 0xff);
        short atMost = (short) precision;
        double size = Math.abs(number);
        var digits = atMost < 0 ? fewest(size) : rounded(size, atMost);
        if (digits.scale() > atLeast) {
            digits = digits.stripTrailingZeros();
        }
        String plain = digits.setScale(Math.max(atLeast, digits.scale())).toPlainString();
        int point = plain.indexOf('.');
        int whole = point < 0 ? plain.length() : point;
        var out = new StringBuilder(sign(number));
        for (int i = 0; i < whole; i++) {
            if (i > 0 && (whole - i) % 3 == 0) {
                out.append(',');
            }
            out.append(plain.charAt(i));
        }
        return out.append(plain, whole, plain.length()).toString();
    }

    /// Seven digits and a power of ten: `1.234568×10⁰³`.
    ///
    /// @param width how long the result is at least. It stands where other templates have the
    ///   precision, and kube-scheduler keeps it in 16 bits
    static String scientific(double number, long width) {
        if (width / 10 > MAX_NUMBER) {
            return NO_CLAUSE;
        }
        String special = special(number);
        String text = special == null ? power(number) : special;
        int missing = Math.max(0, (int) (width & 0xffff) - text.length());
        return " ".repeat(missing) + text;
    }

    private static String power(double number) {
        var rounded =
                new BigDecimal(Math.abs(number))
                        .round(new MathContext(SIGNIFICANT, RoundingMode.HALF_EVEN));
        int exponent = number == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
        String digits = rounded.unscaledValue().toString();
        digits += "0".repeat(SIGNIFICANT - digits.length());
        var out = new StringBuilder(sign(number));
        out.append(digits.charAt(0)).append('.').append(digits, 1, SIGNIFICANT).append("×10");
        if (exponent < 0) {
            out.append('⁻');
        }
        twoDigits(Math.abs(exponent)).chars().forEach(c -> out.append(RAISED.charAt(c - '0')));
        return out.toString();
    }

    private static @Nullable String special(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        return Double.isInfinite(number) ? sign(number) + "∞" : null;
    }

    /// Numbers that round to nothing are not spelt out before, which takes long for the smallest.
    private static BigDecimal rounded(double size, int digits) {
        if (size < Math.pow(10, -digits - 1)) {
            return BigDecimal.valueOf(0, digits);
        }
        var exact = new BigDecimal(size);
        return exact.scale() <= digits && digits > 0xff
                ? exact
                : exact.setScale(digits, RoundingMode.HALF_EVEN);
    }

    private static String sign(double number) {
        return number < 0 ? "-" : "";
    }

    private static String twoDigits(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }
}
