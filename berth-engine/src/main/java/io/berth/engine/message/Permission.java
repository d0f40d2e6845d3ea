package io.berth.engine.message;

/// What was said of a pod that waits for its permit.
public sealed interface Permission {
    Permission ALLOWED = new Allowed();

    /// One plugin has nothing against it any more.
    record Allowed() implements Permission {}

    record Rejected(String message) implements Permission {}

    /// Rejected on behalf of a more important pod: to be tried again.
    record Preempted(String message) implements Permission {}
}
