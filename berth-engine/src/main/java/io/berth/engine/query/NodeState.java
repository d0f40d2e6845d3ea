package io.berth.engine.query;

import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.List;

/// A node with the pods on it, assumed ones included, and what they ask for together.
public record NodeState(Node node, List<Pod> pods, Resources requested) {
    public NodeState {
        pods = List.copyOf(pods);
    }

    static NodeState of(NodeView view) {
        return new NodeState(view.node(), view.pods(), view.requested());
    }
}
