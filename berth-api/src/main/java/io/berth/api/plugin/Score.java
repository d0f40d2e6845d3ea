package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;

/// Rates a feasible node. After normalising, scores lie between 0 and 100. Called for many nodes,
/// possibly from several worker threads at once.
///
/// A score that can be worked out from the columns implements [NodeLocalScore] or [ClusterScore].
public interface Score extends Plugin {
    long MAX = 100;
    long MIN = 0;

    long score(Cycle cycle, Pod pod, NodeView node);
}
