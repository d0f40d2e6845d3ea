package io.berth.plugins.arguments;

import java.util.regex.Pattern;

/// The syntax of label keys, which resource names and topology keys share.
public final class LabelNames {
    private static final String NAME_PROBLEM =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or"
                    + " '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String PREFIX_PROBLEM =
            "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                    + " characters, '-' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String SHAPE_PROBLEM =
            "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',"
                    + "  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain"
                    + " prefix and '/' (e.g. 'example.com/MyName')";

    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern PREFIX =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private LabelNames() {}

    /// Records what is wrong with `name` as a label key, if anything.
    public static void check(Problems problems, String path, String name) {
        int slash = name.indexOf('/');
        if (slash != name.lastIndexOf('/')) {
            problems.invalid(path, name, SHAPE_PROBLEM);
            return;
        }
        if (slash >= 0) {
            checkPrefix(problems, path, name, name.substring(0, slash));
        }
        var rest = name.substring(slash + 1);
        if (rest.isEmpty()) {
            problems.invalid(path, name, "name part must be non-empty");
        } else if (rest.length() > 63) {
            problems.invalid(path, name, "name part must be no more than 63 bytes");
        }
        if (!NAME.matcher(rest).matches()) {
            problems.invalid(path, name, NAME_PROBLEM);
        }
    }

    private static void checkPrefix(Problems problems, String path, String name, String prefix) {
        if (prefix.isEmpty()) {
            problems.invalid(path, name, "prefix part must be non-empty");
        } else if (prefix.length() > 253) {
            problems.invalid(path, name, "prefix part must be no more than 253 bytes");
        } else if (!PREFIX.matcher(prefix).matches()) {
            problems.invalid(path, name, PREFIX_PROBLEM);
        }
    }
}
