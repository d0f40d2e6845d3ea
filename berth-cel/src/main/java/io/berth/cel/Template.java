package io.berth.cel;

import java.nio.charset.StandardCharsets;

/// A text with places for values, as in `'%s has %d'.format([a, b])`. It is read the same way when
/// an expression is compiled, where there are types, and when it is evaluated, where there are
/// values.
record Template(String text) {
    private static final int NO_PRECISION = 6;

    /// What becomes of the parts of a template, in their order.
    interface Reader {
        boolean isOfTypes();

        void text(int from, int to);

        /// @param letter one of `sdfebxXo`
        /// @param precision the number before the letter, or 6
        void clause(int argument, char letter, long precision);
    }

    /// @param arguments how many there are
    /// @throws FunctionFailure where the template is malformed, or needs more arguments. Where both
    ///   is so at its very end, the former counts when types are read, the latter for values
    void read(int arguments, Reader reader) {
        int argument = 0;
        int at = 0;
        while (at < text.length()) {
            int percent = text.indexOf('%', at);
            reader.text(at, percent < 0 ? text.length() : percent);
            if (percent < 0) {
                return;
            }
            at = percent + 1;
            if (at < text.length() && text.charAt(at) == '%') {
                reader.text(at, at + 1);
                at++;
            } else {
                boolean isEnd = at >= text.length();
                if (argument >= arguments && !(isEnd && reader.isOfTypes())) {
                    throw new FunctionFailure("index " + argument + " out of range");
                }
                if (isEnd) {
                    throw new FunctionFailure("unexpected end of string");
                }
                at = clause(at, argument, reader);
                argument++;
            }
        }
    }

    /// Gives the place after the clause.
    private int clause(int start, int argument, Reader reader) {
        int at = start;
        long precision = NO_PRECISION;
        if (text.charAt(at) == '.') {
            at++;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            precision = precision(start + 1, at);
        }
        int letter = text.codePointAt(at);
        if ("sdfebxXo".indexOf(letter) < 0) {
            throw unreadable("unrecognized formatting clause \"" + firstByte(letter) + "\"");
        }
        try {
            reader.clause(argument, (char) letter, precision);
        } catch (Misfit misfit) {
            throw misfit.asFailure();
        }
        return at + 1;
    }

    private long precision(int from, int to) {
        if (to >= text.length()) {
            throw unreadable(
                    "error while parsing precision: could not find end of precision specifier");
        }
        String digits = text.substring(from, to);
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException malformed) {
            throw unreadable(
                    "error while parsing precision: error while converting precision to integer:"
                            + " strconv.Atoi: parsing \""
                            + digits
                            + "\": "
                            + (digits.isEmpty() ? "invalid syntax" : "value out of range"));
        }
    }

    private static FunctionFailure unreadable(String why) {
        return new FunctionFailure("could not parse formatting clause: " + why);
    }

    /// kube-scheduler reads bytes.
    private static char firstByte(int point) {
        byte[] bytes = Character.toString(point).getBytes(StandardCharsets.UTF_8);
        return (char) (bytes[0] & 0xff);
    }

    /// A value, or a type, that does not go with its clause.
    static final class Misfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Misfit(String message) {
            super(message, null, false, false);
        }

        FunctionFailure asFailure() {
            return new FunctionFailure("error during formatting: " + getMessage());
        }

        static Misfit of(char letter, String type) {
            return new Misfit(
                    switch (letter) {
                                case 'd' -> "decimal clause can only be used on integers";
                                case 'f' -> "fixed-point clause can only be used on doubles";
                                case 'e' -> "scientific clause can only be used on doubles";
                                case 'b' -> "only integers and bools can be formatted as binary";
                                case 'x', 'X' ->
                                        "only integers, byte buffers, and strings can be formatted"
                                                + " as hex";
                                case 'o' -> "octal clause can only be used on integers";
                                default ->
                                        "string clause can only be used on strings, bools, bytes,"
                                                + " ints, doubles, maps, lists, types, durations,"
                                                + " and timestamps";
                            }
                            + ", was given "
                            + type);
        }
    }
}
