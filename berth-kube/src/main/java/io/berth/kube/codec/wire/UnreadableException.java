package io.berth.kube.codec.wire;

/// A value of an object is not what the API says it should be. The JSON itself is sound, so the
/// object can be passed over.
public final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String message;

    public UnreadableException(String message) {
        // No stack trace: the message says all, and a broken client may produce many.
        super(message, null, false, false);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
