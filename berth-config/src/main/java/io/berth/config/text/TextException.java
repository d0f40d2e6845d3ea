package io.berth.config.text;

/// A text that is no YAML or JSON, or too much of it. The message is one sentence for the operator.
public final class TextException extends Exception {
    private static final long serialVersionUID = 1L;

    public TextException(String message) {
        super(message);
    }
}
