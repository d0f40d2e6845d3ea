package io.berth.engine.port;

/// Runs work that may block, away from the engine thread: bindings, evictions, status writes.
public interface Tasks {
    /// Starts a task. It must report its outcome itself, as a message.
    void start(String name, Runnable task);
}
