package io.berth.apiserver.admission;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The syntax of names, label keys and label values. Each check returns what is wrong, in
/// upstream's words; an empty list means nothing.
final class Names {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String LETTER_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
    private static final String KEY_MESSAGE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                    + " an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
                    + " used for validation is '"
                    + KEY
                    + "')";
    private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
    private static final Pattern LETTER_LABEL_PATTERN = Pattern.compile(LETTER_LABEL);
    private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
    private static final Pattern KEY_PATTERN = Pattern.compile(KEY);
    private static final Pattern VALUE_PATTERN = Pattern.compile(VALUE);

    private Names() {}

    /// RFC 1123 label: namespaces, services, containers.
    static List<String> dnsLabel(String value) {
        var problems = new ArrayList<String>();
        limit(value, 63, problems);
        if (value.contains(".")) {
            problems.add("must not contain dots");
        } else if (!LABEL_PATTERN.matcher(value).matches()) {
            problems.add(
                    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters"
                            + " or '-', and must start and end with an alphanumeric character (e.g."
                            + " 'my-name',  or '123-abc', regex used for validation is '"
                            + LABEL
                            + "')");
        }
        return problems;
    }

    /// RFC 1035 label, which begins with a letter: what custom kinds are called.
    static List<String> letterLabel(String value) {
        var problems = new ArrayList<String>();
        limit(value, 63, problems);
        if (!LETTER_LABEL_PATTERN.matcher(value).matches()) {
            problems.add(
                    "a DNS-1035 label must consist of lower case alphanumeric characters or '-',"
                            + " start with an alphabetic character, and end with an alphanumeric"
                            + " character (e.g. 'my-name',  or 'abc-123', regex used for validation"
                            + " is '"
                            + LETTER_LABEL
                            + "')");
        }
        return problems;
    }

    /// RFC 1123 subdomain: the names of most objects.
    static List<String> dnsSubdomain(String value) {
        var problems = new ArrayList<String>();
        limit(value, 253, problems);
        if (!SUBDOMAIN_PATTERN.matcher(value).matches()) {
            problems.add(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                            + " characters, '-' or '.', and must start and end with an alphanumeric"
                            + " character (e.g. 'example.com', regex used for validation is '"
                            + SUBDOMAIN
                            + "')");
        }
        return problems;
    }

    /// Anything that can stand between two slashes of a URL.
    static List<String> pathSegment(String value) {
        var problems = new ArrayList<String>();
        if (value.equals(".") || value.equals("..")) {
            problems.add("may not be '" + value + "'");
        }
        for (String part : List.of("/", "%")) {
            if (value.contains(part)) {
                problems.add("may not contain '" + part + "'");
            }
        }
        return problems;
    }

    /// A label or annotation key, with or without a domain before a slash.
    static List<String> labelKey(String value) {
        var problems = new ArrayList<String>();
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            problems.add(
                    "a valid label key "
                            + KEY_MESSAGE
                            + " with an optional DNS subdomain prefix and '/' (e.g."
                            + " 'example.com/MyName')");
            return problems;
        }
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                problems.add("prefix part must be non-empty");
            } else {
                dnsSubdomain(parts[0]).forEach(each -> problems.add("prefix part " + each));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (bytes(name) > 63) {
            problems.add("name part must be no more than 63 bytes");
        }
        if (!KEY_PATTERN.matcher(name).matches()) {
            problems.add("name part " + KEY_MESSAGE);
        }
        return problems;
    }

    /// Annotation keys may have upper case in their domain.
    static List<String> annotationKey(String value) {
        return labelKey(value.toLowerCase(Locale.ROOT));
    }

    static List<String> labelValue(String value) {
        var problems = new ArrayList<String>();
        limit(value, 63, problems);
        if (!VALUE_PATTERN.matcher(value).matches()) {
            problems.add(
                    "a valid label must be an empty string or consist of alphanumeric characters,"
                            + " '-', '_' or '.', and must start and end with an alphanumeric"
                            + " character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used"
                            + " for validation is '"
                            + VALUE
                            + "')");
        }
        return problems;
    }

    private static void limit(String value, int maxBytes, List<String> problems) {
        if (bytes(value) > maxBytes) {
            problems.add("must be no more than " + maxBytes + " bytes");
        }
    }

    private static int bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }
}
