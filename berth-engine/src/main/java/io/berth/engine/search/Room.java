package io.berth.engine.search;

/// How many nodes could take a pod.
///
/// @param first the one that a search would visit first; empty where there is none
public record Room(int nodes, String first) {
    public static final Room NONE = new Room(0, "");

    public boolean isNone() {
        return nodes == 0;
    }
}
