package io.berth.apiserver.admission;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A Kubernetes quantity: a number with the format it was written in.
///
/// @param value never finer than a billionth; finer input is rounded away from zero
record Quantity(BigDecimal value, Format format) implements Comparable<Quantity> {
    static final String SYNTAX_MESSAGE =
            "quantities must match the regular expression"
                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    private static final Pattern SYNTAX =
            Pattern.compile("([+-]?)([0-9]+\\.?[0-9]*|\\.[0-9]+)(.*)");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> DECIMAL =
            List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

    /// Reading takes time that grows with the square of the length.
    private static final int LONGEST = 1_000;

    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    enum Format {
        DECIMAL_SI,
        DECIMAL_EXPONENT,
        BINARY_SI
    }

    /// Empty if the text is no quantity.
    static Optional<Quantity> parse(String text) {
        var matcher = SYNTAX.matcher(text.strip());
        if (text.length() > LONGEST || !matcher.matches()) {
            return Optional.empty();
        }
        var number = new BigDecimal(matcher.group(2));
        if (matcher.group(1).equals("-")) {
            number = number.negate();
        }
        String suffix = matcher.group(3);
        if (suffix.length() == 2 && BINARY.contains(suffix)) {
            var factor = new BigDecimal(KIBI.pow(BINARY.indexOf(suffix)));
            return Optional.of(of(number.multiply(factor), Format.BINARY_SI));
        }
        if (DECIMAL.contains(suffix)) {
            int exponent = 3 * (DECIMAL.indexOf(suffix) - 3);
            return Optional.of(of(number.scaleByPowerOfTen(exponent), Format.DECIMAL_SI));
        }
        if (suffix.matches("[eE][-+]?[0-9]{1,3}")) {
            int exponent = Integer.parseInt(suffix.substring(1));
            return Optional.of(of(number.scaleByPowerOfTen(exponent), Format.DECIMAL_EXPONENT));
        }
        return Optional.empty();
    }

    private static Quantity of(BigDecimal value, Format format) {
        return new Quantity(value.scale() > 9 ? value.setScale(9, RoundingMode.UP) : value, format);
    }

    boolean isNegative() {
        return value.signum() < 0;
    }

    boolean isZero() {
        return value.signum() == 0;
    }

    boolean isInteger() {
        return value.stripTrailingZeros().scale() <= 0;
    }

    Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value), format);
    }

    /// Whether the other is the same amount, in whatever format.
    boolean equalsValue(@Nullable Quantity other) {
        return other != null && compareTo(other) == 0;
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    /// The one way a server writes this value: no fraction, the largest suffix that fits.
    String canonical() {
        if (isZero()) {
            return "0";
        }
        boolean small = value.abs().compareTo(BigDecimal.valueOf(1024)) < 0;
        if (format == Format.BINARY_SI && !small && isInteger()) {
            return canonicalBinary(value.toBigIntegerExact());
        }
        return canonicalDecimal(format == Format.DECIMAL_EXPONENT);
    }

    private static String canonicalBinary(BigInteger bytes) {
        int power = 0;
        BigInteger rest = bytes;
        while (power < BINARY.size() - 1 && rest.mod(KIBI).signum() == 0) {
            rest = rest.divide(KIBI);
            power++;
        }
        return rest + BINARY.get(power);
    }

    private String canonicalDecimal(boolean exponent) {
        BigDecimal plain = value.stripTrailingZeros();
        // The largest multiple of three that leaves an integer, within the suffixes there are.
        int power = Math.min(18, Math.floorDiv(-plain.scale(), 3) * 3);
        BigInteger mantissa = plain.scaleByPowerOfTen(-power).toBigIntegerExact();
        if (exponent) {
            return power == 0 ? mantissa.toString() : mantissa + "e" + power;
        }
        return mantissa + DECIMAL.get(power / 3 + 3);
    }
}
