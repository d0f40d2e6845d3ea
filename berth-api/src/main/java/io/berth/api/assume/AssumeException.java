package io.berth.api.assume;

/// An object cannot be assumed: it is unknown, or other than the caller thinks. The attempt fails
/// and is repeated with what is known by then.
public final class AssumeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public AssumeException(String message) {
        super(message);
    }
}
