package io.berth.api.label;

import java.util.ArrayList;
import java.util.List;

/// How keys and values of labels are written, and the words of the Kubernetes API for what is wrong
/// with one.
public final class LabelSyntax {
    private static final int NAME_LIMIT = 63;
    private static final int PREFIX_LIMIT = 253;

    private static final String NAME_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                    + " an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc',"
                    + " regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String PREFIX_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
                    + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    private LabelSyntax() {}

    /// Whether this can be the key of a label: a name, after an optional prefix and a slash.
    public static boolean isKey(String key) {
        int slash = key.indexOf('/');
        return (slash < 0 || slash <= PREFIX_LIMIT && isSubdomain(key.substring(0, slash)))
                && key.length() - slash - 1 <= NAME_LIMIT
                && isName(key, slash + 1);
    }

    /// Whether this can be the value of a label; it may be empty.
    public static boolean isValue(String value) {
        return value.isEmpty() || value.length() <= NAME_LIMIT && isName(value, 0);
    }

    /// What is wrong with a key, nothing where it is sound.
    public static List<String> problemsOfKey(String key) {
        if (isKey(key)) {
            return List.of();
        }
        int slash = key.indexOf('/');
        if (slash != key.lastIndexOf('/')) {
            return List.of(
                    "a valid label key "
                            + NAME_RULE
                            + " with an optional DNS subdomain prefix and '/' (e.g."
                            + " 'example.com/MyName')");
        }
        var problems = new ArrayList<String>();
        if (slash >= 0) {
            addProblemsOfPrefix(problems, key.substring(0, slash));
        }
        var name = key.substring(slash + 1);
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (name.length() > NAME_LIMIT) {
            problems.add("name part must be no more than " + NAME_LIMIT + " bytes");
        }
        if (!isName(name, 0)) {
            problems.add("name part " + NAME_RULE);
        }
        return problems;
    }

    private static void addProblemsOfPrefix(List<String> problems, String prefix) {
        if (prefix.isEmpty()) {
            problems.add("prefix part must be non-empty");
            return;
        }
        if (prefix.length() > PREFIX_LIMIT) {
            problems.add("prefix part must be no more than " + PREFIX_LIMIT + " bytes");
        }
        if (!isSubdomain(prefix)) {
            problems.add("prefix part " + PREFIX_RULE);
        }
    }

    /// What is wrong with a value, nothing where it is sound.
    public static List<String> problemsOfValue(String value) {
        if (isValue(value)) {
            return List.of();
        }
        var problems = new ArrayList<String>();
        if (value.length() > NAME_LIMIT) {
            problems.add("must be no more than " + NAME_LIMIT + " bytes");
        }
        if (!isName(value, 0)) {
            problems.add(VALUE_RULE);
        }
        return problems;
    }

    private static boolean isName(String text, int from) {
        int length = text.length();
        if (from >= length || !isLetter(text.charAt(from)) || !isLetter(text.charAt(length - 1))) {
            return false;
        }
        for (int i = from; i < length; i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && c != '-' && c != '_' && c != '.') {
                return false;
            }
        }
        return true;
    }

    private static boolean isSubdomain(String text) {
        char before = '.';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean atEdge = before == '.' || before == '-' && c == '.';
            if (!isLowercase(c) && (atEdge || c != '-' && c != '.')) {
                return false;
            }
            before = c;
        }
        return isLowercase(before);
    }

    private static boolean isLetter(char c) {
        return isLowercase(c) || c >= 'A' && c <= 'Z';
    }

    private static boolean isLowercase(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
    }
}
