package io.berth.app.flag;

import io.berth.api.amount.Numbers;
import io.berth.config.text.DurationText;
import io.berth.config.text.GoText;
import java.math.BigInteger;
import java.time.Duration;
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
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:.*:)[0-9a-fA-F:]+(?:[0-9.]+)?");
    private static final int LONGEST_IP = 64;

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
        if (Numbers.isTooLong(value) || Numbers.whole(value, 10).bitLength() > 31) {
            throw range("ParseUint", value);
        }
        return Integer.parseInt(value);
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
        String plain = Numbers.decimal(Float.toString(number)).stripTrailingZeros().toPlainString();
        return Math.abs(number) >= 1e21 ? Float.toString(number) : plain;
    }

    /// Reads `300ms`, `1m30s`, `-1.5h`, `0`.
    public static Duration parseDuration(String value) throws FlagException {
        try {
            return DurationText.parse(value);
        } catch (IllegalArgumentException noDuration) {
            throw new FlagException(String.valueOf(noDuration.getMessage()));
        }
    }

    public static void checkIp(String value) throws FlagException {
        boolean fits = value.length() <= LONGEST_IP;
        if (!fits || !IPV4.matcher(value).matches() && !IPV6.matcher(value).matches()) {
            throw new FlagException("failed to parse IP: " + GoText.quote(value));
        }
    }

    private static BigInteger integer(String function, String value) throws FlagException {
        if (Numbers.isTooLong(value)) {
            throw range(function, value);
        }
        Matcher matcher = INTEGER.matcher(value);
        if (!matcher.matches()) {
            throw syntax(function, value);
        }
        int[] bases = {16, 2, 8, 10};
        for (int group = 2; group <= 5; group++) {
            String digits = matcher.group(group);
            if (digits != null) {
                return Numbers.whole(matcher.group(1) + digits.replace("_", ""), bases[group - 2]);
            }
        }
        throw syntax(function, value);
    }

    private static FlagException syntax(String function, String value) {
        return new FlagException(
                "strconv."
                        + function
                        + ": parsing "
                        + GoText.quote(Numbers.shown(value))
                        + ": invalid syntax");
    }

    private static FlagException range(String function, String value) {
        return new FlagException(
                "strconv."
                        + function
                        + ": parsing "
                        + GoText.quote(Numbers.shown(value))
                        + ": value out of range");
    }
}
