package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import io.berth.api.verdict.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why each node was refused in an attempt.
public interface Refusals {
    /// Why this node was refused; null where it was not judged one by one.
    @Nullable Refusal of(String nodeName);

    /// What holds for all nodes that were not judged one by one.
    Refusal ofOthers();

    /// The nodes that a preemption may help on, in the order of the node list.
    List<NodeView> resolvableNodes();
}
