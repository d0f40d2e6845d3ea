package io.berth.engine.framework;

import io.berth.api.plugin.NodeView;

/// What a search for a node came to.
public sealed interface Placement {
    /// The pod goes here.
    record Found(NodeView node, int evaluatedNodes, int feasibleNodes) implements Placement {}

    /// The pod fits nowhere now.
    record NoFit(Diagnosis diagnosis) implements Placement {}

    /// There are no nodes at all.
    record NoNodes() implements Placement {}
}
