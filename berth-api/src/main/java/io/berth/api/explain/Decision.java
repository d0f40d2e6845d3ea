package io.berth.api.explain;

import java.util.Set;

/// What one attempt to find a node for a pod came to.
public sealed interface Decision {
    /// The pod is to go to a node.
    ///
    /// @param evaluatedNodes how many nodes were looked at
    /// @param feasibleNodes how many of them could take the pod
    record Placed(Choice choice, int evaluatedNodes, int feasibleNodes) implements Decision {}

    /// No node can take the pod.
    ///
    /// @param rejectors plugins whose events may help; none where there are no nodes at all
    record Unplaced(Set<String> rejectors) implements Decision {
        public Unplaced {
            rejectors = Set.copyOf(rejectors);
        }
    }

    /// A plugin, or something of ours, broke.
    record Broken(Throwable cause) implements Decision {}
}
