package io.berth.kube.connection;

/// A mistake in how the API server is to be reached: one sentence with file, field and remedy.
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
