package io.berth.app;

import io.berth.kube.client.WriteGate;

/// What events about pods have to pass: the leader's fence, so that a process that was stopped and
/// has lost its lease meanwhile tells nothing of what it did with an old picture. Who lets go of
/// the lease in order may still tell what it has done. Thread-safe.
final class EventGate implements WriteGate {
    private volatile WriteGate fence = OPEN;

    /// From now on events pass where other writes do.
    void follow(WriteGate gate) {
        fence = gate;
    }

    /// The process ends: what may be told now may be told to the end.
    void settle() {
        if (fence.writeNanos() > 0) {
            fence = OPEN;
        }
    }

    @Override
    public long writeNanos() {
        return fence.writeNanos();
    }
}
