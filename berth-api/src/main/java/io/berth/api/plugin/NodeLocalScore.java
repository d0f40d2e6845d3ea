package io.berth.api.plugin;

import io.berth.api.column.Fact;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotScore;
import io.berth.api.model.Pod;
import io.berth.api.model.PodSpec;
import java.util.Set;

/// A score that follows from the pod's spec and one node alone; kept per spec as with
/// [NodeLocalFilter].
public interface NodeLocalScore extends Score {
    SlotScore scorer(PodSpec spec, NodeColumns columns);

    Set<Fact> reads();

    @Override
    default long score(Cycle cycle, Pod pod, NodeView node) {
        return scorer(pod.spec(), node.columns()).score(node.slot());
    }
}
