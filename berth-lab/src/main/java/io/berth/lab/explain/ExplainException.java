package io.berth.lab.explain;

import io.berth.engine.framework.PluginFailure;

/// Something cannot be explained; the message says why, in one sentence.
public final class ExplainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ExplainException(String sentence) {
        super(sentence);
    }

    public ExplainException(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    /// Whether the twin may not be as it was before: not where a plugin broke, after which what was
    /// tried is taken back, nor where there is nothing to be judged.
    public boolean leavesDoubt() {
        return getCause() != null && !(getCause() instanceof PluginFailure);
    }

    /// The message, which is never missing.
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
