package io.berth.cel;

/// An expression that cannot be understood, or that came to no answer about a device. The message
/// is the one that users of Kubernetes know, as far as the library's own words allow.
public final class SelectorException extends Exception {
    private static final long serialVersionUID = 1L;

    /// Where it went wrong.
    public enum Stage {
        COMPILE,
        RUNTIME
    }

    private final Stage stage;

    SelectorException(Stage stage, String message) {
        super(message);
        this.stage = stage;
    }

    public Stage stage() {
        return stage;
    }
}
