package io.berth.app.flag;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Values written the way Go reads them, refused with the words that Go uses.
public final class GoSyntax {
    private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
    private static final Pattern INTEGER =
            Pattern.compile(
                    "([+-]?)(?:0[xX]((?:_?[0-9a-fA-F])+)|0[bB]((?:_?[01])+)|0[oO]?((?:_?[0-7])+)|(0|[1-9](?:_?[0-9])*))");
    private static final Pattern FLOAT =
            Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]*(?:\\.[0-9]*)?");
    private static final Pattern UNIT = Pattern.compile("[^0-9.]*");
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:.*:)[0-9a-fA-F:]+(?:[0-9.]+)?");
    private static final Map<String, Long> UNIT_NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "μs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private GoSyntax() {}

    public static boolean parseBool(String value) throws FlagException {
        if (TRUE.contains(value)) {
            return true;
        }
        if (FALSE.contains(value)) {
            return false;
        }
        throw syntax("ParseBool", value);
    }

    public static long parseInt(String value, int bits) throws FlagException {
        BigInteger number = integer("ParseInt", value);
        if (number.bitLength() >= bits) {
            throw range("ParseInt", value);
        }
        return number.longValueExact();
    }

    /// A verbosity: decimal, from 0 to 2³¹-1.
    public static int parseLevel(String value) throws FlagException {
        if (!value.matches("[0-9]+")) {
            throw syntax("ParseUint", value);
        }
        var number = new BigInteger(value);
        if (number.bitLength() > 31) {
            throw range("ParseUint", value);
        }
        return number.intValueExact();
    }

    public static float parseFloat(String value) throws FlagException {
        if (!FLOAT.matcher(value).matches()) {
            throw syntax("ParseFloat", value);
        }
        float number = Float.parseFloat(value);
        if (Float.isInfinite(number)) {
            throw range("ParseFloat", value);
        }
        return number;
    }

    /// The shortest text that reads back as this number, without an exponent where Go shows none.
    static String formatFloat(float number) {
        String plain = new BigDecimal(Float.toString(number)).stripTrailingZeros().toPlainString();
        return Math.abs(number) >= 1e21 ? Float.toString(number) : plain;
    }

    /// Reads `300ms`, `1m30s`, `-1.5h`, `0`.
    public static Duration parseDuration(String value) throws FlagException {
        boolean negative = value.startsWith("-");
        String rest = negative || value.startsWith("+") ? value.substring(1) : value;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty()) {
            throw new FlagException("time: invalid duration " + quote(value));
        }
        var nanos = BigDecimal.ZERO;
        while (!rest.isEmpty()) {
            String number = prefix(NUMBER, rest);
            if (number.isEmpty() || number.equals(".")) {
                throw new FlagException("time: invalid duration " + quote(value));
            }
            rest = rest.substring(number.length());
            String unit = prefix(UNIT, rest);
            if (unit.isEmpty()) {
                throw new FlagException("time: missing unit in duration " + quote(value));
            }
            Long unitNanos = UNIT_NANOS.get(unit);
            if (unitNanos == null) {
                throw new FlagException(
                        "time: unknown unit " + quote(unit) + " in duration " + quote(value));
            }
            nanos = nanos.add(new BigDecimal(number).multiply(BigDecimal.valueOf(unitNanos)));
            rest = rest.substring(unit.length());
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new FlagException("time: invalid duration " + quote(value));
        }
        return Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue());
    }

    public static void checkIp(String value) throws FlagException {
        if (!IPV4.matcher(value).matches() && !IPV6.matcher(value).matches()) {
            throw new FlagException("failed to parse IP: " + quote(value));
        }
    }

    /// A string as Go's `%q` shows it.
    public static String quote(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> appendEscaped(out, point));
        return out.append('"').toString();
    }

    private static void appendEscaped(StringBuilder out, int point) {
        switch (point) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\t' -> out.append("\\t");
            case '\r' -> out.append("\\r");
            default -> {
                if (point < 0x20 || point == 0x7f) {
                    out.append(String.format("\\x%02x", point));
                } else if (Character.isISOControl(point) || !Character.isDefined(point)) {
                    out.append(String.format("\\u%04x", point));
                } else {
                    out.appendCodePoint(point);
                }
            }
        }
    }

    private static BigInteger integer(String function, String value) throws FlagException {
        Matcher matcher = INTEGER.matcher(value);
        if (!matcher.matches()) {
            throw syntax(function, value);
        }
        int[] bases = {16, 2, 8, 10};
        for (int group = 2; group <= 5; group++) {
            String digits = matcher.group(group);
            if (digits != null) {
                return new BigInteger(matcher.group(1) + digits.replace("_", ""), bases[group - 2]);
            }
        }
        throw syntax(function, value);
    }

    private static String prefix(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.lookingAt() ? matcher.group() : "";
    }

    private static FlagException syntax(String function, String value) {
        return new FlagException(
                "strconv." + function + ": parsing " + quote(value) + ": invalid syntax");
    }

    private static FlagException range(String function, String value) {
        return new FlagException(
                "strconv." + function + ": parsing " + quote(value) + ": value out of range");
    }
}
