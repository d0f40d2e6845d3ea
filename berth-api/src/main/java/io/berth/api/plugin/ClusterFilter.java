package io.berth.api.plugin;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Verdict;

/// A filter that reads more than one node (or more of the pod than its spec), but judges from the
/// columns and its own notes. Asked anew in each attempt.
public interface ClusterFilter extends Filter {
    /// Prepares the judgement of one pod. What it reads of the cycle's notes it reads each time a
    /// slot is asked for, so that it stays right when the notes change in a dry run.
    SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns);

    @Override
    default Verdict filter(Cycle cycle, Pod pod, NodeView node) {
        var judge = judge(cycle, pod, node.columns());
        return judge.passes(node.slot()) ? Verdict.PASS : judge.explain(node.slot());
    }
}
