package io.berth.kube.client;

/// Decides, at the moment of sending, whether a write may leave this process. Asked by any thread.
public interface WriteGate {
    WriteGate OPEN = () -> Long.MAX_VALUE;

    /// Why a write was refused.
    String CLOSED = "this process no longer leads, so it must not write";

    /// How long a write that is sent now may take; zero or less where none may be sent.
    long writeNanos();
}
