package io.berth.api.explain;

/// What one plugin gave one node.
///
/// @param raw before normalising
/// @param normalized between 0 and 100
public record ScoreAnswer(String plugin, long raw, long normalized, long weight) {
    /// What counts in the node's total.
    public long weighted() {
        return normalized * weight;
    }
}
