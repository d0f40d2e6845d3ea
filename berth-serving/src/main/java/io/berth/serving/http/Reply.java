package io.berth.serving.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The answer to a call.
///
/// @param headers by name, whatever its case
/// @param expected whether a status of 500 is no accident, so that the log need not explain it
public record Reply(
        int status, SortedMap<String, String> headers, Content content, boolean expected) {
    /// What comes after the headers.
    public sealed interface Content {}

    /// Nothing is sent before it is complete, so a page that fails half-way leaves no broken answer
    /// behind.
    public record Whole(byte[] bytes) implements Content {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Whole that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /// Sent as it comes about, for as long as the client stays. Of those there may be few at once.
    public record Streamed(Writing writing) implements Content {}

    /// Tells a client something, bit by bit, on a thread of its own.
    ///
    /// A write returns when the client has taken it, and fails when the client has left, or takes
    /// nothing for too long. Leaving shows in nothing else, so whoever has nothing to tell writes a
    /// sign of life now and then. The thread is interrupted when the port closes.
    public interface Writing {
        void writeTo(OutputStream client) throws IOException, InterruptedException;
    }

    public static final String PLAIN = "text/plain; charset=utf-8";
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String SNIFFING = "X-Content-Type-Options";

    public static Reply of(int status, String contentType, byte[] body) {
        return new Reply(
                status, headers(Map.of(CONTENT_TYPE, contentType)), new Whole(body), false);
    }

    public static Reply of(int status, String contentType, String body) {
        return of(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    public static Reply streamed(int status, String contentType, Writing writing) {
        return new Reply(
                status, headers(Map.of(CONTENT_TYPE, contentType)), new Streamed(writing), false);
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

    public static Reply empty() {
        return new Reply(200, headers(Map.of()), new Whole(new byte[0]), false);
    }

    public Reply with(String name, String value) {
        var more = new TreeMap<>(headers);
        more.put(name, value);
        return new Reply(status, more, content, expected);
    }

    public Reply withBody(byte[] other) {
        return new Reply(status, headers, new Whole(other), expected);
    }

    /// Tells browsers to believe the content type.
    public Reply noSniffing() {
        return with(SNIFFING, "nosniff");
    }

    public Reply asExpected() {
        return new Reply(status, headers, content, true);
    }

    /// The bytes of a whole answer; none of a streamed one, since they are not there yet.
    public byte[] body() {
        return switch (content) {
            case Whole(var bytes) -> bytes;
            case Streamed _ -> new byte[0];
        };
    }

    public String text() {
        return new String(body(), StandardCharsets.UTF_8);
    }

    private static SortedMap<String, String> headers(Map<String, String> some) {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(some);
        return all;
    }
}
