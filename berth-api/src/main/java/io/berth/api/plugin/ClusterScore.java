package io.berth.api.plugin;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;

/// A score from the columns that reads more than one node; asked anew in each attempt.
public interface ClusterScore extends Score {
    /// Whether all nodes certainly have a raw score of 0 for this pod, so that none need be asked.
    default boolean isZero(Cycle cycle, Pod pod) {
        return false;
    }

    SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns);

    @Override
    default long score(Cycle cycle, Pod pod, NodeView node) {
        return scorer(cycle, pod, node.columns()).score(node.slot());
    }
}
