package io.berth.engine.search;

/// Where the next search begins in the node list: one for all profiles, so that searches which stop
/// early take turns over the cluster (rule E-93). Owned by the engine thread.
public final class Rotation {
    private int next;

    int startIn(int count) {
        return count == 0 ? 0 : next % count;
    }

    void advance(int processed, int count) {
        next = count == 0 ? 0 : (next + processed) % count;
    }

    public int next() {
        return next;
    }
}
