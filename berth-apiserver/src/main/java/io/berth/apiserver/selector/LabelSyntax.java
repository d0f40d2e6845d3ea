package io.berth.apiserver.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What a label key and a label value may look like, in the words of kube-apiserver.
final class LabelSyntax {
    private static final Pattern QUALIFIED =
            Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private LabelSyntax() {}

    static List<String> keyProblems(String key) {
        var problems = new ArrayList<String>();
        String name = key;
        int slash = key.indexOf('/');
        if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
            problems.add(
                    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and"
                            + " must start and end with an alphanumeric character (e.g. 'MyName',  or"
                            + " 'my.name',  or '123-abc', regex used for validation is"
                            + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS"
                            + " subdomain prefix and '/' (e.g. 'example.com/MyName')");
            return problems;
        }
        if (slash >= 0) {
            String prefix = key.substring(0, slash);
            name = key.substring(slash + 1);
            if (prefix.isEmpty()) {
                problems.add("prefix part must be non-empty");
            } else if (prefix.length() > 253 || !SUBDOMAIN.matcher(prefix).matches()) {
                problems.add(
                        "prefix part a lowercase RFC 1123 subdomain must consist of lower case"
                                + " alphanumeric characters, '-' or '.', and must start and end with an"
                                + " alphanumeric character (e.g. 'example.com', regex used for"
                                + " validation is"
                                + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
            }
        }
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (name.length() > 63) {
            problems.add("name part must be no more than 63 bytes");
        }
        if (!QUALIFIED.matcher(name).matches()) {
            problems.add(
                    "name part must consist of alphanumeric characters, '-', '_' or '.', and must"
                            + " start and end with an alphanumeric character (e.g. 'MyName',  or"
                            + " 'my.name',  or '123-abc', regex used for validation is"
                            + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
        }
        return problems;
    }

    static List<String> valueProblems(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 63) {
            problems.add("must be no more than 63 bytes");
        }
        if (!value.isEmpty() && !QUALIFIED.matcher(value).matches()) {
            problems.add(
                    "a valid label must be an empty string or consist of alphanumeric characters,"
                            + " '-', '_' or '.', and must start and end with an alphanumeric character"
                            + " (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation"
                            + " is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
        }
        return problems;
    }
}
