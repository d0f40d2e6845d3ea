package io.berth.api.plugin;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;

/// A score that follows from the pod's spec and one node alone; kept per spec as with
/// [NodeLocalFilter].
public non-sealed interface NodeLocalScore extends Score, NodeLocal {
    /// @param spec as in [NodeLocalFilter#judge]
    SlotScore scorer(PodSpec spec, NodeColumns columns);

    @Override
    default long score(Cycle cycle, Pod pod, NodeView node) {
        var spec = readsClaims() ? pod.spec() : pod.spec().withoutClaims();
        return scorer(spec, node.columns()).score(node.slot());
    }
}
