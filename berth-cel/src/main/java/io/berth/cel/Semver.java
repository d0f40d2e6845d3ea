package io.berth.cel;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A semantic version 2.0.0. What stands behind `+` is kept, but does not count.
record Semver(long major, long minor, long patch, List<String> pre, String build)
        implements Comparable<Semver> {
    private static final String NUMBER = "(0|[1-9]\\d{0,17})";
    private static final String WORDS = "([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)";
    private static final Pattern FORM =
            Pattern.compile(
                    NUMBER
                            + "\\."
                            + NUMBER
                            + "\\."
                            + NUMBER
                            + "(?:-"
                            + WORDS
                            + ")?(?:\\+"
                            + WORDS
                            + ")?");
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final Pattern LOOSE =
            Pattern.compile("v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?([-+].*)?");

    /// @throws FunctionFailure where the text is no version
    static Semver parse(String text) {
        var version = find(text);
        if (version == null) {
            throw new FunctionFailure(problem(text));
        }
        return version;
    }

    /// Null where the text is no version.
    static @Nullable Semver find(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || padded(form) != null) {
            return null;
        }
        return new Semver(
                Long.parseLong(form.group(1)),
                Long.parseLong(form.group(2)),
                Long.parseLong(form.group(3)),
                words(form),
                form.group(5) == null ? "" : form.group(5));
    }

    private static List<String> words(Matcher form) {
        String pre = form.group(4);
        return pre == null ? List.of() : List.of(pre.split("\\.", -1));
    }

    /// A number with leading zeroes, where there is one.
    private static @Nullable String padded(Matcher form) {
        for (String word : words(form)) {
            if (word.length() > 1 && word.startsWith("0") && DIGITS.matcher(word).matches()) {
                return word;
            }
        }
        return null;
    }

    private static String problem(String text) {
        if (text.isEmpty()) {
            return "Version string empty";
        }
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            return "Numeric PreRelease version must not contain leading zeroes \""
                    + padded(form)
                    + "\"";
        }
        return text.split("\\.", 3).length < 3
                ? "No Major.Minor.Patch elements found"
                : "Invalid character(s) found in version \"" + text + "\"";
    }

    /// As above, but a leading `v`, missing numbers and leading zeroes do no harm.
    static Semver parseLoosely(String text) {
        var form = LOOSE.matcher(text);
        if (!form.matches()) {
            return parse(text);
        }
        return parse(
                plain(form.group(1))
                        + "."
                        + plain(form.group(2))
                        + "."
                        + plain(form.group(3))
                        + (form.group(4) == null ? "" : form.group(4)));
    }

    private static String plain(@Nullable String number) {
        if (number == null) {
            return "0";
        }
        int zeroes = 0;
        while (zeroes < number.length() - 1 && number.charAt(zeroes) == '0') {
            zeroes++;
        }
        return number.substring(zeroes);
    }

    @Override
    public int compareTo(Semver other) {
        int order = Long.compare(major, other.major);
        order = order == 0 ? Long.compare(minor, other.minor) : order;
        order = order == 0 ? Long.compare(patch, other.patch) : order;
        return order == 0 ? compare(pre, other.pre) : order;
    }

    /// A release comes after what was before it; longer goes after shorter.
    private static int compare(List<String> one, List<String> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    private static int compare(String one, String other) {
        boolean isNumber = DIGITS.matcher(one).matches();
        boolean isOtherNumber = DIGITS.matcher(other).matches();
        if (isNumber && isOtherNumber) {
            int byLength = Integer.compare(one.length(), other.length());
            return byLength == 0 ? one.compareTo(other) : byLength;
        }
        return isNumber ? -1 : isOtherNumber ? 1 : one.compareTo(other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Semver that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return (int) (31 * (31 * major + minor) + patch) + pre.hashCode();
    }
}
