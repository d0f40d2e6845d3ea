package io.berth.lab.explain;

import java.util.List;

/// What is asked about a pod.
///
/// @param nodes names of nodes to tell of in full
/// @param allNodes whether all are to be told of
/// @param top how many of the best nodes, where there are scores
/// @param fixes whether to look for what would help
/// @param evictions whether to look whom the pod could evict
public record Question(
        List<String> nodes, boolean allNodes, int top, boolean fixes, boolean evictions) {
    public static final Question USUAL = new Question(List.of(), false, 5, true);

    /// Up to so many nodes are all told of without being asked for.
    static final int FEW_NODES = 12;

    public Question {
        nodes = List.copyOf(nodes);
    }

    public Question(List<String> nodes, boolean allNodes, int top, boolean fixes) {
        this(nodes, allNodes, top, fixes, true);
    }
}
