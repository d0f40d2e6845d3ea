package io.berth.app.serve;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The whole answer to a call. Nothing is sent before it is complete, so a page that fails half-way
/// leaves no broken answer behind.
///
/// @param headers by name, whatever its case
/// @param expected whether a status of 500 is no accident, so that the log need not explain it
public record Reply(int status, SortedMap<String, String> headers, byte[] body, boolean expected) {
    static final String PLAIN = "text/plain; charset=utf-8";
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String SNIFFING = "X-Content-Type-Options";

    public static Reply of(int status, String contentType, byte[] body) {
        return new Reply(status, headers(Map.of(CONTENT_TYPE, contentType)), body, false);
    }

    public static Reply of(int status, String contentType, String body) {
        return of(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    public static Reply text(int status, String body) {
        return of(status, PLAIN, body);
    }

    /// An error as plain text, on a line of its own.
    public static Reply error(int status, String sentence) {
        return text(status, sentence + "\n").noSniffing();
    }

    public static Reply notFound() {
        return error(404, "404 page not found");
    }

    static Reply empty() {
        return new Reply(200, headers(Map.of()), new byte[0], false);
    }

    public Reply with(String name, String value) {
        var more = new TreeMap<>(headers);
        more.put(name, value);
        return new Reply(status, more, body, expected);
    }

    public Reply withBody(byte[] other) {
        return new Reply(status, headers, other, expected);
    }

    /// Tells browsers to believe the content type.
    public Reply noSniffing() {
        return with(SNIFFING, "nosniff");
    }

    Reply asExpected() {
        return new Reply(status, headers, body, true);
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    private static SortedMap<String, String> headers(Map<String, String> some) {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(some);
        return all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Reply that
                && status == that.status
                && headers.equals(that.headers)
                && Arrays.equals(body, that.body)
                && expected == that.expected;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * status + headers.hashCode()) + Arrays.hashCode(body);
    }
}
