package io.berth.apiserver.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// A conjunction of equalities and inequalities on the few fields that a kind offers.
public record FieldSelector(List<Term> terms) {
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    public FieldSelector {
        terms = List.copyOf(terms);
    }

    /// `field=value`, or `field!=value`.
    public record Term(String field, boolean equal, String value) {}

    /// Reads the text form, such as `spec.nodeName=,status.phase!=Failed`.
    ///
    /// @throws IllegalArgumentException with kube-apiserver's words if the text is not a selector
    public static FieldSelector parse(String text) {
        var terms = new ArrayList<Term>();
        for (String part : split(text)) {
            if (part.isEmpty()) {
                continue;
            }
            int at = operator(part);
            if (at < 0) {
                throw new IllegalArgumentException(
                        "invalid selector: '" + text + "'; can't understand '" + part + "'");
            }
            boolean equal = part.charAt(at) == '=';
            int width = part.startsWith("==", at) || !equal ? 2 : 1;
            terms.add(new Term(part.substring(0, at), equal, unescape(part.substring(at + width))));
        }
        return new FieldSelector(terms);
    }

    /// The same selector with its field names translated.
    public FieldSelector mapFields(UnaryOperator<String> translation) {
        return new FieldSelector(
                terms.stream()
                        .map(t -> new Term(translation.apply(t.field()), t.equal(), t.value()))
                        .toList());
    }

    public FieldSelector and(String field, String value) {
        var more = new ArrayList<>(terms);
        more.add(new Term(field, true, value));
        return new FieldSelector(more);
    }

    /// Judges an object by its fields.
    ///
    /// @param fields the value of each field by its name, empty if not set
    public boolean matches(UnaryOperator<String> fields) {
        for (Term term : terms) {
            if (term.equal() != fields.apply(term.field()).equals(term.value())) {
                return false;
            }
        }
        return true;
    }

    public boolean isEmpty() {
        return terms.isEmpty();
    }

    private static int operator(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '=' || part.startsWith("!=", i)) {
                return i;
            }
        }
        return -1;
    }

    private static List<String> split(String text) {
        var parts = new ArrayList<String>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ',') {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(Math.min(start, text.length())));
        return parts;
    }

    private static String unescape(String value) {
        var plain = new StringBuilder(value.length());
        int i = 0;
        while (i < value.length()) {
            char c = value.charAt(i++);
            if (c != '\\') {
                if (c == '=' || c == ',') {
                    throw new IllegalArgumentException(
                            "invalid field selector: unescaped character in value: " + (int) c);
                }
                plain.append(c);
                continue;
            }
            char escaped = i < value.length() ? value.charAt(i++) : '\0';
            if (escaped != '\\' && escaped != ',' && escaped != '=') {
                throw new IllegalArgumentException(
                        "invalid field selector: invalid escape sequence: \\"
                                + (escaped == '\0' ? "" : escaped));
            }
            plain.append(escaped);
        }
        return plain.toString();
    }
}
