package io.berth.api.amount;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// An amount of a resource as Kubernetes writes it: `100m`, `1.5`, `2Gi`, `1e3`.
///
/// Sums and maxima are exact; rounding (up, away from zero) happens once, when a number is asked
/// for. Whole amounts beyond 64 bits behave as in the Go type: one with a short decimal form reads
/// as 0, a long one wraps around (contract rule H-1).
public final class Quantity implements Comparable<Quantity> {
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO);

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int SHORT_DIGITS = 18;

    private final BigDecimal amount;

    /// 0 until it is asked for; quantities are shared and their hash is asked for often.
    private int hash;

    private Quantity(BigDecimal amount) {
        this.amount = amount;
    }

    public static Quantity of(long units) {
        return new Quantity(BigDecimal.valueOf(units));
    }

    public static Quantity ofMillis(long millis) {
        return new Quantity(BigDecimal.valueOf(millis, 3));
    }

    /// @throws IllegalArgumentException where the text is no quantity
    public static Quantity parse(String text) {
        int end = numberEnd(text);
        String number = text.substring(0, end);
        String suffix = text.substring(end);
        if (number.isEmpty() || number.equals("+") || number.equals("-") || number.equals(".")) {
            throw malformed(text);
        }
        try {
            return new Quantity(scale(Numbers.decimal(number), suffix, text));
        } catch (NumberFormatException notANumber) {
            throw malformed(text);
        }
    }

    private static int numberEnd(String text) {
        int i = 0;
        if (i < text.length() && (text.charAt(i) == '+' || text.charAt(i) == '-')) {
            i++;
        }
        while (i < text.length() && isDigitOrPoint(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /// Digits of other scripts, which Java would take, are none here.
    private static boolean isDigitOrPoint(char letter) {
        return letter >= '0' && letter <= '9' || letter == '.';
    }

    private static BigDecimal scale(BigDecimal number, String suffix, String text) {
        return switch (suffix) {
            case "" -> number;
            case "n" -> number.movePointLeft(9);
            case "u" -> number.movePointLeft(6);
            case "m" -> number.movePointLeft(3);
            case "k" -> number.movePointRight(3);
            case "M" -> number.movePointRight(6);
            case "G" -> number.movePointRight(9);
            case "T" -> number.movePointRight(12);
            case "P" -> number.movePointRight(15);
            case "E" -> number.movePointRight(18);
            case "Ki" -> binary(number, 10);
            case "Mi" -> binary(number, 20);
            case "Gi" -> binary(number, 30);
            case "Ti" -> binary(number, 40);
            case "Pi" -> binary(number, 50);
            case "Ei" -> binary(number, 60);
            default -> exponent(number, suffix, text);
        };
    }

    /// Binary amounts are capped at the largest 64-bit integer when they are read.
    private static BigDecimal binary(BigDecimal number, int bits) {
        return number.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(bits))).min(MAX);
    }

    private static BigDecimal exponent(BigDecimal number, String suffix, String text) {
        char letter = suffix.charAt(0);
        if (letter != 'e' && letter != 'E' || suffix.length() < 2 || suffix.length() > 5) {
            throw malformed(text);
        }
        return number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "\""
                        + Numbers.shown(text)
                        + "\" is no quantity: write a number with an optional suffix such as m, k,"
                        + " M, Ki, Mi or Gi");
    }

    public Quantity plus(Quantity other) {
        return new Quantity(amount.add(other.amount));
    }

    /// May be below zero.
    public Quantity minus(Quantity other) {
        return new Quantity(amount.subtract(other.amount));
    }

    public Quantity max(Quantity other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    /// Whether it is a number of whole units that has room in 64 bits.
    public boolean isWhole() {
        var plain = amount.stripTrailingZeros();
        return plain.scale() <= 0 && plain.toBigInteger().bitLength() <= 63;
    }

    /// The nearest number that a double can hold.
    public double doubleValue() {
        return amount.doubleValue();
    }

    /// Whole units, rounded up; a negative amount, which the API forbids, is rounded down.
    public long value() {
        return toLong(amount);
    }

    /// Thousandths, rounded up.
    public long milliValue() {
        return toLong(amount.movePointRight(3));
    }

    private static long toLong(BigDecimal amount) {
        var rounded = amount.setScale(0, RoundingMode.UP).toBigInteger();
        if (rounded.bitLength() <= 63) {
            return rounded.longValue();
        }
        return amount.stripTrailingZeros().precision() <= SHORT_DIGITS ? 0 : rounded.longValue();
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof Quantity that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        // A race computes the same value twice, which is harmless.
        int known = hash;
        if (known == 0) {
            known = amount.stripTrailingZeros().hashCode();
            hash = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return amount.toPlainString();
    }
}
