package io.berth.engine.state;

import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;

/// A slot that stands for "this node with other pods than it has", for dry runs.
///
/// The engine thread acquires and releases it; in between one thread at a time may use it, and
/// several may use several at once. Nothing done here is seen by observers or counts as a change.
public final class Scratch implements AutoCloseable {
    private final SlotNode place;
    private final ScratchPool pool;

    Scratch(SlotNode place, ScratchPool pool) {
        this.place = place;
        this.pool = pool;
    }

    /// Makes this slot equal to another one: the node, its pods, its columns. May be called again
    /// for another node.
    public NodeView copyOf(int slot) {
        place.copyOf(pool.source(slot));
        return place;
    }

    public int slot() {
        return place.slot();
    }

    /// What the slot looks like now, after pods were added and removed.
    public NodeView view() {
        return place;
    }

    public void add(Pod pod) {
        place.add(pod);
    }

    /// Takes a pod away, found by its uid.
    public void remove(Pod pod) {
        place.remove(pod);
    }

    /// Gives the slot back. The view must not be used any more.
    @Override
    public void close() {
        pool.release(this, place);
    }
}
