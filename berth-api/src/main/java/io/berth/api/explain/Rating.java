package io.berth.api.explain;

import java.util.List;

/// How good a node is for a pod.
///
/// @param scores in the order of the profile; plugins that sit this pod out are not among them
/// @param rank 1 for the best; nodes with equal totals share one
public record Rating(List<ScoreAnswer> scores, long total, int rank) {
    public Rating {
        scores = List.copyOf(scores);
    }
}
