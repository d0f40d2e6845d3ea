package io.berth.api.amount;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Reads numbers of any size that somebody else wrote.
///
/// The JDK takes time that grows with the square of a number's length: a minute for 400,000 digits.
/// So texts end where no honest number comes near, and nothing else in Berth hands a text to those
/// constructors, which a test of the architecture keeps.
public final class Numbers {
    /// The longest text of a number, sign and point included.
    public static final int LONGEST = 1_000;

    private Numbers() {}

    public static boolean isTooLong(String text) {
        return text.length() > LONGEST;
    }

    /// @throws NumberFormatException where the text is too long or no whole number
    public static BigInteger whole(String text, int radix) {
        return new BigInteger(bounded(text), radix);
    }

    /// @throws NumberFormatException where the text is too long or no decimal number
    public static BigDecimal decimal(String text) {
        return new BigDecimal(bounded(text));
    }

    private static String bounded(String text) {
        if (isTooLong(text)) {
            throw new NumberFormatException(
                    "a number of " + text.length() + " characters; the longest has " + LONGEST);
        }
        return text;
    }

    /// The text as messages quote it: a long one ends early.
    public static String shown(String text) {
        return isTooLong(text) ? text.substring(0, 40) + "..." : text;
    }
}
