package io.berth.api.handle;

/// A write that the API server refused or that did not reach it.
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// What went wrong, as far as it decides what to do next.
    public enum Kind {
        /// The object changed or is already what it may become once only (409).
        CONFLICT,
        /// The object is gone (404, 410).
        NOT_FOUND,
        /// The request will never be accepted as it is (400, 401, 403, 422 …).
        REFUSED,
        /// The server could not do it now (429, 5xx) or could not be reached.
        UNAVAILABLE,
        /// No answer in time: the write may or may not have happened.
        TIMEOUT
    }

    private final Kind kind;

    public ClusterException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public ClusterException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /// Whether the same request may succeed later.
    public boolean mayRetry() {
        return kind == Kind.UNAVAILABLE || kind == Kind.TIMEOUT || kind == Kind.CONFLICT;
    }
}
