package io.berth.api.plugin;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Verdict;

/// A filter whose verdict on a node follows from the pod's spec and that node alone. The engine
/// keeps the verdicts per spec and asks again only for nodes that have changed, or of which the
/// plugin says that its verdict is out of date ([Handle#staleSlot]).
public non-sealed interface NodeLocalFilter extends Filter, NodeLocal {
    /// Prepares the judgement of all pods of a spec. Must not read anything but its arguments, and
    /// what the plugin itself keeps and says of that it is out of date.
    ///
    /// @param spec without claims, see [PodSpec#withoutClaims], unless [#readsClaims]
    SlotJudge judge(PodSpec spec, NodeColumns columns);

    @Override
    default Verdict filter(Cycle cycle, Pod pod, NodeView node) {
        var spec = readsClaims() ? pod.spec() : pod.spec().withoutClaims();
        var judge = judge(spec, node.columns());
        return judge.passes(node.slot()) ? Verdict.PASS : judge.explain(node.slot());
    }
}
