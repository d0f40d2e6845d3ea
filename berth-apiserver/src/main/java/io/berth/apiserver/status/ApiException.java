package io.berth.apiserver.status;

/// Ends a request with a [Status]. An expected outcome, so it carries no stack trace.
public final class ApiException extends RuntimeException {
    private final transient Status status;

    public ApiException(Status status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    public Status status() {
        return status;
    }
}
