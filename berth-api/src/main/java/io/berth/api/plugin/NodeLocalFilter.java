package io.berth.api.plugin;

import io.berth.api.column.Fact;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotJudge;
import io.berth.api.model.Pod;
import io.berth.api.model.PodSpec;
import java.util.Set;

/// A filter whose verdict on a node follows from the pod's spec and that node alone. The engine
/// keeps the verdicts per spec and asks again only for nodes that have changed.
public interface NodeLocalFilter extends Filter {
    /// Prepares the judgement of all pods of a spec. Must not read anything but its arguments.
    SlotJudge judge(PodSpec spec, NodeColumns columns);

    /// What the judgement reads of a node.
    Set<Fact> reads();

    @Override
    default Verdict filter(Cycle cycle, Pod pod, NodeView node) {
        var judge = judge(pod.spec(), node.columns());
        return judge.passes(node.slot()) ? Verdict.PASS : judge.explain(node.slot());
    }
}
