package io.berth.engine.state;

/// A call that does not fit what the state knows, such as adding a pod twice. The state is
/// unchanged; the message is the one users read in the log.
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StateException(String message) {
        super(message);
    }
}
