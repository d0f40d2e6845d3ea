package io.berth.kube.client;

/// What a request stands in line with. What is opened as a stream, a watch or a list, stands in
/// none: decisions rest on it, and it is never many.
public enum Lane {
    /// Bindings and evictions: pods wait for them.
    FIRST(24),

    /// Everything else that somebody waits for.
    ORDINARY(24),

    /// What may be late, such as a pending pod's status.
    LATE(16);

    private final int mostAtOnce;

    Lane(int mostAtOnce) {
        this.mostAtOnce = mostAtOnce;
    }

    /// Where a request goes unless its sender knows better.
    static Lane of(String verb, String path) {
        boolean isBinding = verb.equals("POST") && path.endsWith("/binding");
        return isBinding || verb.equals("DELETE") ? FIRST : ORDINARY;
    }

    /// How many requests may be under way. Each has a connection of its own; more of them wait for
    /// their turn.
    int mostAtOnce() {
        return mostAtOnce;
    }
}
