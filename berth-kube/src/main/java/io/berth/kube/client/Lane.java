package io.berth.kube.client;

/// What a request stands in line with. What is opened as a stream, a watch or a list, stands in
/// none: decisions rest on it, and it is never many.
public enum Lane {
    /// Bindings, evictions, and everything that somebody waits for.
    ORDINARY(24),

    /// What may be late, such as a pending pod's status: goes where nothing ordinary waits, and now
    /// and then all the same.
    LATE(16);

    private final int mostAtOnce;

    Lane(int mostAtOnce) {
        this.mostAtOnce = mostAtOnce;
    }

    /// How many requests may be under way. Each has a connection of its own; more of them wait for
    /// their turn.
    int mostAtOnce() {
        return mostAtOnce;
    }
}
