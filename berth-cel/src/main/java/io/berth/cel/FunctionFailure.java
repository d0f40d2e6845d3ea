package io.berth.cel;

import dev.cel.common.CelErrorCode;
import dev.cel.common.exceptions.CelRuntimeException;

/// A function of ours that has no answer for its arguments. Of a type of the library's, which would
/// put the arguments of any other into its message, however large they are.
final class FunctionFailure extends CelRuntimeException {
    private static final long serialVersionUID = 1L;

    private final String message;

    FunctionFailure(String message) {
        super(new IllegalArgumentException(message), CelErrorCode.INVALID_ARGUMENT);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
