package io.berth.plugins.legacy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the little JSON that an annotation holds, into maps, lists, strings and booleans. Numbers
/// are kept as their text, since none of them matters here.
final class Json {
    private static final int MAX_DEPTH = 32;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /// @throws IllegalArgumentException where the text is no JSON
    static @Nullable Object parse(String text) {
        var json = new Json(text);
        var value = json.value(0);
        json.space();
        if (json.at != text.length()) {
            throw json.malformed();
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw malformed();
        }
        space();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        var fields = new HashMap<String, @Nullable Object>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return fields;
        }
        while (true) {
            space();
            if (peek() != '"') {
                throw malformed();
            }
            var key = string();
            space();
            expect(':');
            fields.put(key, value(depth + 1));
            if (!more('}')) {
                return fields;
            }
        }
    }

    private List<@Nullable Object> array(int depth) {
        var elements = new ArrayList<@Nullable Object>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value(depth + 1));
            if (!more(']')) {
                return elements;
            }
        }
    }

    /// Whether another element follows, as opposed to the end.
    private boolean more(char end) {
        space();
        if (peek() == end) {
            at++;
            return false;
        }
        expect(',');
        return true;
    }

    private String string() {
        var result = new StringBuilder();
        at++;
        while (peek() != '"') {
            char c = text.charAt(at++);
            result.append(c == '\\' ? escaped() : c);
        }
        at++;
        return result.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> c;
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw malformed();
                }
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw malformed();
        };
    }

    private @Nullable Object word() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        var word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> {
                if (!word.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
                    throw malformed();
                }
                yield word;
            }
        };
    }

    private char peek() {
        if (at >= text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw malformed();
        }
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
