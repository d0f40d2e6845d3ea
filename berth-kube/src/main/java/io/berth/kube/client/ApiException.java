package io.berth.kube.client;

import org.jspecify.annotations.Nullable;

/// A request that the API server refused, or that got no answer.
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// How far the request came.
    public enum Failure {
        /// The server answered with an error; see [ApiException#status].
        ANSWERED,
        /// No connection: the request was not sent.
        UNREACHABLE,
        /// The connection broke: the request may or may not have been carried out.
        BROKEN,
        /// No answer in time: the request may or may not have been carried out.
        TIMEOUT,
        /// The gate for writes is closed: the request was not sent, or broken off before its end.
        FENCED,
        /// Who asked for it took it back before it was sent.
        WITHDRAWN,
        /// We are shutting down, or the calling thread was interrupted.
        INTERRUPTED
    }

    private final Failure failure;
    private final transient ApiStatus status;

    public ApiException(ApiStatus status) {
        super(status.message());
        this.failure = Failure.ANSWERED;
        this.status = status;
    }

    public ApiException(Failure failure, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
        this.status = new ApiStatus(0, "", message, java.util.List.of(), 0);
    }

    public Failure failure() {
        return failure;
    }

    /// The HTTP status, 0 without an answer.
    public int code() {
        return status.code();
    }

    public String reason() {
        return status.reason();
    }

    public ApiStatus status() {
        return status;
    }

    /// The error to report for an answer that says no more than its status code.
    static ApiStatus generic(int code, String verb, String target, String body) {
        String said = body.strip();
        String what =
                switch (code) {
                    case 400 -> "the server rejected our request for an unknown reason";
                    case 401 -> "the server has asked for the client to provide credentials";
                    case 403 -> said.isEmpty() ? "unknown" : said;
                    case 404 -> "the server could not find the requested resource";
                    case 405 -> "the server does not allow this method on the requested resource";
                    case 406 ->
                            "the server was unable to respond with a content type that the client"
                                    + " supports";
                    case 409 -> "the server reported a conflict";
                    case 415, 422 ->
                            "the server rejected our request due to an error in our request";
                    case 429 ->
                            "the server has received too many requests and has asked us to try"
                                    + " again later";
                    case 503 -> "the server is currently unable to handle the request";
                    case 504 ->
                            "the server was unable to return a response in the time allotted, but"
                                    + " may still be processing the request";
                    default ->
                            code >= 500
                                    ? "an error on the server (\""
                                            + said.replace("\"", "\\\"")
                                            + "\") has prevented the request from succeeding"
                                    : "the server responded with the status code "
                                            + code
                                            + " but did not return more details";
                };
        String message = what + " (" + verb.toLowerCase(java.util.Locale.ROOT) + " " + target + ")";
        return new ApiStatus(code, reasonOf(code, verb), message, java.util.List.of(), 0);
    }

    private static String reasonOf(int code, String verb) {
        return switch (code) {
            case 400 -> "BadRequest";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 406 -> "NotAcceptable";
            case 409 -> verb.equals("POST") ? "AlreadyExists" : "Conflict";
            case 410 -> "Gone";
            case 415 -> "UnsupportedMediaType";
            case 422 -> "Invalid";
            case 429 -> "TooManyRequests";
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> code >= 500 ? "InternalError" : "Unknown";
        };
    }
}
