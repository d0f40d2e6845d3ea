package io.berth.plugins.device;

/// Why devices could not be looked for, in kube-scheduler's words.
public final class AllocationException extends Exception {
    private static final long serialVersionUID = 1L;

    /// How far it reaches.
    public enum Reach {
        /// Other nodes may do.
        NODE,
        /// The search on this node takes too long.
        TOO_LONG,
        /// The whole attempt ends.
        ATTEMPT
    }

    private final Reach reach;

    AllocationException(Reach reach, String message) {
        super(message, null, false, false);
        this.reach = reach;
    }

    static AllocationException fatal(String message) {
        return new AllocationException(Reach.ATTEMPT, message);
    }

    public Reach reach() {
        return reach;
    }
}
