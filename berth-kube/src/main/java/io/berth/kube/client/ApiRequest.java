package io.berth.kube.client;

import io.berth.api.write.Departure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One request: a verb on a path of the API, perhaps with a body.
///
/// @param path begins with a slash; its parts are already escaped
/// @param timeout until the whole answer is there; null for the client's default. For a stream:
///   until it begins
/// @param encoding of the answer
/// @param departure asked before it is sent, told when it waits again
public record ApiRequest(
        String verb,
        String path,
        @Nullable String contentType,
        byte @Nullable [] body,
        @Nullable Duration timeout,
        Encoding encoding,
        Lane lane,
        Departure departure) {
    /// How an answer is to be written.
    public enum Encoding {
        JSON,
        PROTOBUF,
        /// What the client prefers.
        ANY
    }

    public static final String JSON = "application/json";
    public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    public static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";
    public static final String MERGE_PATCH = "application/merge-patch+json";

    /// Reads one object, or a list, or opens a watch.
    public static ApiRequest get(String path) {
        return ordinary("GET", path, null, null);
    }

    private static ApiRequest ordinary(
            String verb, String path, @Nullable String contentType, byte @Nullable [] body) {
        return new ApiRequest(
                verb,
                path,
                contentType,
                body,
                null,
                Encoding.JSON,
                Lane.of(verb, path),
                new Departure());
    }

    public static ApiRequest create(String path, byte[] body) {
        return ordinary("POST", path, JSON, body);
    }

    public static ApiRequest put(String path, byte[] body) {
        return put(path, JSON, body);
    }

    public static ApiRequest put(String path, String contentType, byte[] body) {
        return ordinary("PUT", path, contentType, body);
    }

    public static ApiRequest patch(String path, String contentType, byte[] body) {
        return ordinary("PATCH", path, contentType, body);
    }

    public static ApiRequest delete(String path, byte @Nullable [] options) {
        return ordinary("DELETE", path, options == null ? null : JSON, options);
    }

    public ApiRequest within(Duration limit) {
        return new ApiRequest(verb, path, contentType, body, limit, encoding, lane, departure);
    }

    /// Lets the answer come in the encoding that the client prefers.
    public ApiRequest inAnyEncoding() {
        return in(Encoding.ANY);
    }

    /// Asks for the answer in protobuf, where the server can do so.
    public ApiRequest inProtobuf() {
        return in(Encoding.PROTOBUF);
    }

    private ApiRequest in(Encoding other) {
        return new ApiRequest(verb, path, contentType, body, timeout, other, lane, departure);
    }

    /// Lets it go with others that may be late.
    public ApiRequest late() {
        return new ApiRequest(
                verb, path, contentType, body, timeout, encoding, Lane.LATE, departure);
    }

    /// Lets somebody take it back while it has not been sent.
    public ApiRequest with(Departure other) {
        return new ApiRequest(verb, path, contentType, body, timeout, encoding, lane, other);
    }

    /// Adds a query parameter.
    public ApiRequest with(String name, String value) {
        char separator = path.indexOf('?') < 0 ? '?' : '&';
        String more = separator + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        return new ApiRequest(
                verb, path + more, contentType, body, timeout, encoding, lane, departure);
    }

    /// Whether it changes anything.
    boolean isWrite() {
        return !verb.equals("GET");
    }

    /// Whether carrying it out twice is the same as once.
    boolean isIdempotent() {
        return !verb.equals("POST");
    }
}
