package io.berth.lab.explain;

import io.berth.api.amount.Resources;
import io.berth.api.model.Node;
import java.util.List;

/// What keeps pods off one node.
///
/// @param requested what the pods on it ask for
/// @param pods how many are on it
/// @param pending how many pods wait
/// @param takers how many of them the node could take now
/// @param barriers why it does not take the others, most frequent first
public record NodeReport(
        Source source,
        Node node,
        Resources requested,
        int pods,
        int pending,
        int takers,
        List<Barrier> barriers,
        List<String> uncertain) {
    public NodeReport {
        barriers = List.copyOf(barriers);
        uncertain = List.copyOf(uncertain);
    }

    /// Filters that refuse the node for some pods.
    public record Barrier(int count, List<String> filters, String text, List<String> examples) {
        public Barrier {
            filters = List.copyOf(filters);
            examples = List.copyOf(examples);
        }
    }
}
