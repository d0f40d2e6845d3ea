package io.berth.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The syntax of label keys and values, which resource names share, with upstream's complaints.
final class Names {
    private static final String NAME_FORM =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                    + " an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc',"
                    + " regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String SUBDOMAIN_FORM =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                    + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String VALUE_FORM =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
                    + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_SUBDOMAIN = 253;

    private Names() {}

    /// What is wrong with a name such as `example.com/gpu`.
    static List<String> qualified(String name) {
        var problems = new ArrayList<String>();
        int slash = name.indexOf('/');
        if (slash != name.lastIndexOf('/')) {
            return List.of(
                    "a valid label key "
                            + NAME_FORM
                            + " with an optional DNS subdomain prefix and '/' (e.g."
                            + " 'example.com/MyName')");
        }
        if (slash >= 0) {
            var prefix = name.substring(0, slash);
            if (prefix.isEmpty()) {
                problems.add("prefix part must be non-empty");
            } else if (prefix.length() > LONGEST_SUBDOMAIN) {
                problems.add("prefix part must be no more than 253 bytes");
            } else if (!SUBDOMAIN.matcher(prefix).matches()) {
                problems.add("prefix part " + SUBDOMAIN_FORM);
            }
        }
        var rest = name.substring(slash + 1);
        if (rest.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (rest.length() > LONGEST_NAME) {
            problems.add("name part must be no more than 63 bytes");
        }
        if (!NAME.matcher(rest).matches()) {
            problems.add("name part " + NAME_FORM);
        }
        return problems;
    }

    static List<String> labelValue(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > LONGEST_NAME) {
            problems.add("must be no more than 63 bytes");
        }
        if (!value.isEmpty() && !NAME.matcher(value).matches()) {
            problems.add(VALUE_FORM);
        }
        return problems;
    }

    /// Whether this is the name of a resource that Kubernetes itself knows nothing of.
    static boolean isExtendedResource(String name) {
        boolean isNative = !name.contains("/") || name.contains("kubernetes.io/");
        return !isNative
                && !name.startsWith("requests.")
                && qualified("requests." + name).isEmpty();
    }
}
