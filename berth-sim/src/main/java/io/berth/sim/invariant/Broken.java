package io.berth.sim.invariant;

/// Something that must hold does not. An error, so that it passes through the scheduler's own
/// handling of exceptions.
public final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    public Broken(String what) {
        super(what);
    }

    public static void require(boolean holds, String otherwise, Object... details) {
        if (!holds) {
            throw new Broken(otherwise.formatted(details));
        }
    }
}
