package io.berth.e2e.differential;

/// The API server does not take an object: the scenario is none.
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
        super(message);
    }
}
