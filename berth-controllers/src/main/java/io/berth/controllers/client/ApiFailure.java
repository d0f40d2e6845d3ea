package io.berth.controllers.client;

/// The API server said no, or did not answer.
public final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final int code;
    private final String reason;

    /// @param code the HTTP status; 0 where there was no answer
    /// @param reason the machine's word, such as `AlreadyExists`
    public ApiFailure(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    public int code() {
        return code;
    }

    public boolean isNotFound() {
        return code == NOT_FOUND;
    }

    /// Somebody else was quicker; what is known has to be read again.
    public boolean isConflict() {
        return code == CONFLICT && !isAlreadyThere();
    }

    public boolean isAlreadyThere() {
        return reason.equals("AlreadyExists");
    }

    /// Nothing can be created where everything is going away.
    public boolean isNamespaceGoing() {
        return code == 403 && String.valueOf(getMessage()).contains("is being terminated");
    }

    /// What the watch asked for is no longer kept.
    public boolean isExpired() {
        return code == 410;
    }
}
