package io.berth.plugins.topology;

/// The pods that answer one query, counted.
public final class PodView extends CountedPods {
    private final PodQuery query;
    private long lastUse;
    private boolean dropped;

    PodView(PodQuery query) {
        this.query = query;
    }

    PodQuery query() {
        return query;
    }

    long lastUse() {
        return lastUse;
    }

    void use(long now) {
        lastUse = now;
    }

    boolean isDropped() {
        return dropped;
    }

    void drop() {
        dropped = true;
    }
}
