package io.berth.api.plugin;

import java.time.Duration;

/// Something that others have to do before a pod can be bound, such as making its volume. Looked
/// for on the engine thread, so that it may read whatever a plugin may read there.
public interface Awaited {
    /// Whether it has happened. What it throws ends the binding, with its message.
    boolean hasHappened();

    /// How long to wait between two looks, and before the first.
    Duration every();

    /// How long to wait in all.
    Duration limit();

    /// What users read where it did not happen in time.
    String lateMessage();
}
