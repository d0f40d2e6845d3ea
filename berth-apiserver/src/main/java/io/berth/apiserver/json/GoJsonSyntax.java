package io.berth.apiserver.json;

import java.nio.charset.StandardCharsets;

/// Says what is wrong with a text that is not JSON, in the words of Go's parser, which are the
/// words that clients of kube-apiserver know. Only used after a parse has failed.
public final class GoJsonSyntax {
    private static final String END = "unexpected end of JSON input";
    private static final int MAX_DEPTH = 10_000;

    private final String text;
    private int at;

    private GoJsonSyntax(String text) {
        this.text = text;
    }

    /// Ends the scan with its finding.
    private static final class Problem extends RuntimeException {
        Problem(String message) {
            super(message, null, false, false);
        }
    }

    /// What is wrong, or the given text if Go would see nothing wrong.
    public static String problem(byte[] body, String otherwise) {
        var scan = new GoJsonSyntax(new String(body, StandardCharsets.UTF_8));
        try {
            scan.value(0);
            scan.space();
            if (scan.at < scan.text.length()) {
                throw scan.unexpected("after top-level value");
            }
            return otherwise;
        } catch (Problem problem) {
            return String.valueOf(problem.getMessage());
        }
    }

    private void value(int depth) {
        space();
        if (depth > MAX_DEPTH) {
            throw new Problem("exceeded max depth");
        }
        switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected("looking for beginning of value");
        }
    }

    private void object(int depth) {
        at++;
        space();
        if (peek() == '}') {
            at++;
            return;
        }
        while (true) {
            space();
            if (peek() != '"') {
                throw unexpected("looking for beginning of object key string");
            }
            string();
            space();
            if (peek() != ':') {
                throw unexpected("after object key");
            }
            at++;
            value(depth + 1);
            space();
            if (peek() == '}') {
                at++;
                return;
            }
            if (peek() != ',') {
                throw unexpected("after object key:value pair");
            }
            at++;
        }
    }

    private void array(int depth) {
        at++;
        space();
        if (peek() == ']') {
            at++;
            return;
        }
        while (true) {
            value(depth + 1);
            space();
            if (peek() == ']') {
                at++;
                return;
            }
            if (peek() != ',') {
                throw unexpected("after array element");
            }
            at++;
        }
    }

    private void string() {
        at++;
        while (true) {
            char c = peek();
            if (c == '"') {
                at++;
                return;
            }
            if (c < ' ') {
                throw unexpected("in string literal");
            }
            at++;
            if (c == '\\') {
                escape();
            }
        }
    }

    private void escape() {
        char c = peek();
        if ("bfnrt\\/\"u".indexOf(c) < 0) {
            throw unexpected("in string escape code");
        }
        at++;
        for (int i = 0; c == 'u' && i < 4; i++) {
            if (Character.digit(peek(), 16) < 0) {
                throw unexpected("in \\u hexadecimal character escape");
            }
            at++;
        }
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (peek() != word.charAt(i)) {
                throw unexpected("in literal " + word + " (expecting '" + word.charAt(i) + "')");
            }
            at++;
        }
    }

    private void number() {
        if (peek() == '-') {
            at++;
            if (!isDigit(peek())) {
                throw unexpected("in numeric literal");
            }
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            if (!isDigit(peek())) {
                throw unexpected("after decimal point in numeric literal");
            }
            digits();
        }
        if (at < text.length() && (text.charAt(at) | ' ') == 'e') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            if (!isDigit(peek())) {
                throw unexpected("in exponent of numeric literal");
            }
            digits();
        }
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw new Problem(END);
        }
        return text.charAt(at);
    }

    private Problem unexpected(String where) {
        char c = text.charAt(at);
        String quoted =
                switch (c) {
                    case '\'' -> "'\\''";
                    case '"' -> "'\"'";
                    case '\n' -> "'\\n'";
                    case '\r' -> "'\\r'";
                    case '\t' -> "'\\t'";
                    default -> "'" + c + "'";
                };
        return new Problem("invalid character " + quoted + " " + where);
    }
}
