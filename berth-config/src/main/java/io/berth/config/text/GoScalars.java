package io.berth.config.text;

import io.berth.api.amount.Numbers;
import java.math.BigInteger;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Tag;

/// What a plain scalar means, by the rules of the YAML library that kube-scheduler uses: mostly
/// YAML 1.1 (`yes`, `on` and `y` are booleans, `010` is eight), with Go's number syntax and without
/// sexagesimal numbers and dates.
final class GoScalars {
    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> SPECIAL_FLOATS =
            Set.of(
                    ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF",
                    "-.inf", "-.Inf", "-.INF");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Pattern WHOLE =
            Pattern.compile(
                    "([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))");
    private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger HIGHEST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private GoScalars() {}

    static Tag tag(String plain) {
        if (NULL.contains(plain)) {
            return Tag.NULL;
        }
        if (TRUE.contains(plain) || FALSE.contains(plain)) {
            return Tag.BOOL;
        }
        if (plain.equals("<<")) {
            return Tag.MERGE;
        }
        if (!WHOLE.matcher(plain.replace("_", "")).matches()) {
            return FLOAT.matcher(plain).matches() || SPECIAL_FLOATS.contains(plain)
                    ? Tag.FLOAT
                    : Tag.STR;
        }
        return Numbers.isTooLong(plain) || tooLarge(whole(plain)) ? Tag.FLOAT : Tag.INT;
    }

    static boolean isTrue(String text) {
        return TRUE.contains(text);
    }

    static boolean isBoolean(String text) {
        return TRUE.contains(text) || FALSE.contains(text);
    }

    /// @throws NumberFormatException where the text is no whole number
    static BigInteger whole(String text) {
        var matcher = WHOLE.matcher(text.replace("_", ""));
        if (!matcher.matches()) {
            throw new NumberFormatException(Numbers.shown(text));
        }
        int[] radixes = {16, 2, 8, 10};
        for (int i = 0; i < radixes.length; i++) {
            var digits = matcher.group(i + 2);
            if (digits != null) {
                var number = Numbers.whole(digits, radixes[i]);
                return matcher.group(1).equals("-") ? number.negate() : number;
            }
        }
        throw new NumberFormatException(Numbers.shown(text));
    }

    private static boolean tooLarge(BigInteger number) {
        return number.compareTo(LOWEST) < 0 || number.compareTo(HIGHEST) > 0;
    }
}
