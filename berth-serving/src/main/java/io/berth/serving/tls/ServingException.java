package io.berth.serving.tls;

import org.jspecify.annotations.Nullable;

/// The port cannot be served as asked; the message is for the operator.
public final class ServingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ServingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
