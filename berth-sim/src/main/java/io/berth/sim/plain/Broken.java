package io.berth.sim.plain;

import org.jspecify.annotations.Nullable;

/// Something that must hold does not. An error, so that it passes through the scheduler's own
/// handling of exceptions.
public final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    public Broken(String what) {
        super(what);
    }

    /// @param otherwise what is wrong where it does not hold, with places for the details
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
    public static void require(boolean holds, String otherwise, @Nullable Object... details) {
        if (!holds) {
            throw new Broken(otherwise.formatted(details));
        }
    }
}
