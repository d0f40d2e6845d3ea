package io.berth.kube.extender;

/// An extender answered with an error, or with something else than an answer.
public final class ExtenderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExtenderException(String message) {
        super(message);
    }

    ExtenderException(String message, Throwable cause) {
        super(message, cause);
    }
}
