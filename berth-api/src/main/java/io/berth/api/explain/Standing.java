package io.berth.api.explain;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// How one node stands among all nodes that could take a pod, every one of them scored: what a
/// choice of that node is worth.
///
/// @param feasible how many nodes can take the pod
/// @param enough how many of them kube-scheduler would be content with, by the profile's setting:
///   where there are more, it need not have looked at the best
/// @param refusal who refuses the node, or the pod as a whole, first; empty where nobody does
/// @param isAbsent whether there is no such node, or PreFilter named others
/// @param isNominated whether the pod was nominated to the node, which makes scores needless
/// @param total the node's score; empty where it cannot take the pod
/// @param best the highest score; 0 where no node can take the pod
/// @param bestNode one that has it; empty where no node can take the pod
/// @param ties how many have it
/// @param leads by how much the best node is ahead, plugin by plugin, the largest first; empty
///   where the node is among the best
public record Standing(
        int feasible,
        int enough,
        Optional<FilterAnswer> refusal,
        boolean isAbsent,
        boolean isNominated,
        OptionalLong total,
        long best,
        String bestNode,
        int ties,
        List<Lead> leads) {
    public Standing {
        leads = List.copyOf(leads);
    }

    /// What one plugin gives the best node more than the other.
    ///
    /// @param points weighted; below zero where it is the other that has more
    public record Lead(String plugin, long points) {}

    public boolean isFeasible() {
        return total.isPresent();
    }

    /// Whether no node would have been better: it has the highest score, or the pod was nominated
    /// to it.
    public boolean isBest() {
        return isFeasible() && (isNominated || total.getAsLong() == best);
    }

    /// By how much the best node is better.
    public long regret() {
        return isFeasible() && !isNominated ? best - total.getAsLong() : 0;
    }
}
