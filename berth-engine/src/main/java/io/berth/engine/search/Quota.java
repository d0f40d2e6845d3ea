package io.berth.engine.search;

/// How many feasible nodes a search is content with (rules E-95, E-96).
final class Quota {
    static final int MIN_NODES = 100;
    static final int MIN_PERCENTAGE = 5;

    private Quota() {}

    /// @param percentage 0 means that the cluster's size decides
    static int of(int nodeCount, int percentage) {
        if (nodeCount < MIN_NODES) {
            return nodeCount;
        }
        int effective =
                percentage == 0 ? Math.max(50 - nodeCount / 125, MIN_PERCENTAGE) : percentage;
        return (int) Math.max((long) nodeCount * effective / 100, MIN_NODES);
    }
}
