package io.berth.e2e.differential;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What became of a pod.
sealed interface Outcome {
    /// It got a node.
    ///
    /// @param scores node → plugin → weighted score; empty where one node alone was feasible
    /// @param totals node → sum
    /// @param written volumes and claims as they were left for the controller that binds them, and
    ///   the allocations of claims for devices
    record Placed(
            String node,
            long evaluatedNodes,
            long feasibleNodes,
            SortedMap<String, SortedMap<String, Long>> scores,
            SortedMap<String, Long> totals,
            SortedSet<String> written)
            implements Outcome {
        Placed alsoWrote(Set<String> more) {
            var all = new TreeSet<>(written);
            all.addAll(more);
            return new Placed(node, evaluatedNodes, feasibleNodes, scores, totals, all);
        }

        /// By plugin; empty where the node was not scored.
        Map<String, Long> scoresOf(String node) {
            return scores.getOrDefault(node, Collections.emptySortedMap());
        }

        /// The nodes that share the highest sum.
        Set<String> best() {
            long top = totals.values().stream().mapToLong(Long::longValue).max().orElse(0);
            return totals.entrySet().stream()
                    .filter(total -> total.getValue() == top)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
        }
    }

    /// It got none.
    ///
    /// @param reason of the condition
    /// @param message of the condition
    /// @param note of the event, which is cut where it is long
    /// @param nominatedNode empty where none
    /// @param victims pods that are being evicted, each with what its condition says
    record Unplaced(
            String reason,
            String message,
            String note,
            String nominatedNode,
            SortedSet<String> victims)
            implements Outcome {}

    /// Nothing was heard of it in time, or it was refused by the API.
    record Silent(String why) implements Outcome {}
}
