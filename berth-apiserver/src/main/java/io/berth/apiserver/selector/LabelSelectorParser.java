package io.berth.apiserver.selector;

import io.berth.apiserver.selector.LabelSelector.Operator;
import io.berth.apiserver.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Reads the text form of a label selector: a list of tokens, then a descent over them.
final class LabelSelectorParser {
    private static final String SPECIAL = "=!(),<>";
    private static final String OPERATORS = "in, notin, =, ==, !=, gt, lt";

    private final String text;
    private final List<String> tokens = new ArrayList<>();
    private int next;

    LabelSelectorParser(String text) {
        this.text = text;
        tokenize();
    }

    LabelSelector parse() {
        var requirements = new ArrayList<Requirement>();
        while (!peek().isEmpty()) {
            if (!isIdentifier(peek()) && !peek().equals("!")) {
                throw new IllegalArgumentException(
                        "found '" + peek() + "', expected: !, identifier, or 'end of string'");
            }
            requirements.add(requirement());
            String separator = take();
            if (separator.isEmpty()) {
                break;
            }
            if (!separator.equals(",")) {
                throw new IllegalArgumentException(
                        "found '" + separator + "', expected: ',' or 'end of string'");
            }
            if (!isIdentifier(peek()) && !peek().equals("!")) {
                throw new IllegalArgumentException(
                        "found '" + peek() + "', expected: identifier after ','");
            }
        }
        return new LabelSelector(requirements);
    }

    private Requirement requirement() {
        boolean absent = peek().equals("!");
        if (absent) {
            take();
        }
        String key = take();
        if (!isIdentifier(key)) {
            throw unparsable("found '" + key + "', expected: identifier");
        }
        checkSyntax(LabelSyntax.keyProblems(key), key, "");
        if (peek().isEmpty() || peek().equals(",")) {
            return new Requirement(
                    key, absent ? Operator.DOES_NOT_EXIST : Operator.EXISTS, Set.of());
        }
        if (absent) {
            throw new IllegalArgumentException(
                    "found '" + peek() + "', expected: ',' or 'end of string'");
        }
        String operator = take();
        Requirement requirement =
                switch (operator) {
                    case "in" -> new Requirement(key, Operator.IN, values());
                    case "notin" -> new Requirement(key, Operator.NOT_IN, values());
                    case "=", "==" -> new Requirement(key, Operator.IN, exactValue());
                    case "!=" -> new Requirement(key, Operator.NOT_IN, exactValue());
                    case ">" -> new Requirement(key, Operator.GREATER_THAN, integerValue());
                    case "<" -> new Requirement(key, Operator.LESS_THAN, integerValue());
                    default -> throw unparsable("found '" + operator + "', expected: " + OPERATORS);
                };
        for (String value : requirement.values()) {
            checkSyntax(LabelSyntax.valueProblems(value), value, "[" + key + "]");
        }
        return requirement;
    }

    private static void checkSyntax(List<String> problems, String value, String index) {
        if (!problems.isEmpty()) {
            // The path is unnamed when the selector comes from a query parameter.
            String path = index.isEmpty() ? "<nil>" : "values[0]" + index;
            throw unparsable(
                    path + ": Invalid value: \"" + value + "\": " + String.join("; ", problems));
        }
    }

    private Set<String> integerValue() {
        Set<String> values = exactValue();
        String value = values.iterator().next();
        try {
            Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw unparsable(
                    "values[0]: Invalid value: \""
                            + value
                            + "\": for 'Gt', 'Lt' operators, the value must be an integer");
        }
        return values;
    }

    private Set<String> exactValue() {
        if (peek().isEmpty() || peek().equals(",")) {
            return Set.of("");
        }
        String value = take();
        if (!isIdentifier(value)) {
            throw unparsable("found '" + value + "', expected: identifier");
        }
        return Set.of(value);
    }

    private Set<String> values() {
        String open = take();
        if (!open.equals("(")) {
            throw unparsable("found '" + open + "' expected: '('");
        }
        var values = new TreeSet<String>();
        boolean valueExpected = true;
        while (true) {
            String token = take();
            if (token.equals(")")) {
                if (valueExpected) {
                    values.add("");
                }
                return values;
            } else if (token.equals(",")) {
                if (valueExpected) {
                    values.add("");
                }
                valueExpected = true;
            } else if (isIdentifier(token) && valueExpected) {
                values.add(token);
                valueExpected = false;
            } else {
                throw unparsable(
                        "found '"
                                + token
                                + (valueExpected
                                        ? "', expected: ',', or identifier"
                                        : "', expected: ',' or ')'"));
            }
        }
    }

    private static IllegalArgumentException unparsable(String problem) {
        return new IllegalArgumentException("unable to parse requirement: " + problem);
    }

    private static boolean isIdentifier(String token) {
        return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
    }

    private String peek() {
        return next < tokens.size() ? tokens.get(next) : "";
    }

    private String take() {
        String token = peek();
        next++;
        return token;
    }

    private void tokenize() {
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (isWhitespace(c)) {
                i++;
                continue;
            }
            int start = i;
            if (SPECIAL.indexOf(c) >= 0) {
                i += text.startsWith("==", i) || text.startsWith("!=", i) ? 2 : 1;
            } else {
                while (i < text.length()
                        && SPECIAL.indexOf(text.charAt(i)) < 0
                        && !isWhitespace(text.charAt(i))) {
                    i++;
                }
            }
            tokens.add(text.substring(start, i));
        }
    }

    private static boolean isWhitespace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }
}
