package io.berth.lab.explain;

/// Something cannot be explained; the message says why, in one sentence.
public final class ExplainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ExplainException(String sentence) {
        super(sentence);
    }

    public ExplainException(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    /// The message, which is never missing.
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
