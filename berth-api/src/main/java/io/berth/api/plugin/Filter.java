package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Verdict;

/// Decides whether a node can take the pod. Called for many nodes, possibly from several worker
/// threads at once.
///
/// A filter that can judge from the columns implements [NodeLocalFilter] or [ClusterFilter] instead
/// and is then asked for all nodes in one pass.
public interface Filter extends Plugin {
    Verdict filter(Cycle cycle, Pod pod, NodeView node);
}
