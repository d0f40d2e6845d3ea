package io.berth.api.explain;

/// Which node a pod goes to.
///
/// @param total its score; 0 where no scores were needed
/// @param ties how many nodes have that score, this one included
public record Choice(String node, Reason reason, long total, int ties) {
    /// A choice without scores.
    public static Choice unscored(String node, Reason reason) {
        return new Choice(node, reason, 0, 1);
    }

    /// Why just this node.
    public enum Reason {
        /// The pod was nominated to it, and it can take the pod: no other was looked at.
        NOMINATED,
        /// No other can take the pod.
        ONLY_ONE,
        /// It has the highest score.
        SCORE,
        /// Several share the highest score; it comes first in the order of choosing.
        ORDER,
        /// Several share the highest score, extenders among those who gave it; chance decided.
        CHANCE
    }
}
