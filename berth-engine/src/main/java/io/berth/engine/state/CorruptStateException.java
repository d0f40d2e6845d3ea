package io.berth.engine.state;

/// What the API server says contradicts what the state was told before, so no decision can be
/// trusted any more. The caller hands it to the fault handler, which ends the process (E-28).
public final class CorruptStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptStateException(String message) {
        super(message);
    }
}
