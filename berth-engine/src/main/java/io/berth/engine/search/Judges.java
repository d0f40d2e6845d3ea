package io.berth.engine.search;

import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Lack;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.framework.Rejection;
import io.berth.engine.state.ClusterState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All filters of a profile, ready to judge one pod on any node, real or scratch, with the notes of
/// one cycle (or of a copy of it, in a dry run).
final class Judges {
    private final List<Filter> filters;
    private final @Nullable SlotJudge[] judges;
    private final boolean[] skipped;
    private final CycleState cycle;
    private final Pod pod;

    /// What was said last, by whichever thread: thousands of nodes are told the same.
    private @Nullable Rejection lastRejection;

    Judges(
            List<Filter> filters,
            ShapeResults shape,
            CycleState cycle,
            Pod pod,
            ClusterState state) {
        this.filters = filters;
        this.cycle = cycle;
        this.pod = pod;
        this.judges = new SlotJudge[filters.size()];
        this.skipped = new boolean[filters.size()];
        for (int i = 0; i < filters.size(); i++) {
            var filter = filters.get(i);
            if (filter instanceof NodeLocalFilter) {
                // Node-local filters know from the spec that all nodes pass.
                var judge = shape.judgeAt(i);
                judges[i] = judge;
                skipped[i] = judge != null && judge.equals(SlotJudge.PASS_ALL);
            } else if (cycle.skippedFilters().contains(filter)) {
                skipped[i] = true;
            } else if (filter instanceof ClusterFilter clusterFilter) {
                var judge = prepare(clusterFilter, state);
                judges[i] = judge;
                skipped[i] = judge.equals(SlotJudge.PASS_ALL);
            }
        }
    }

    CycleState cycle() {
        return cycle;
    }

    /// Failures of filters are worded here.
    static PluginFailure toldAlready(String plugin, Throwable cause) {
        return cause instanceof PluginFailure told ? told : PluginFailure.filtering(plugin, cause);
    }

    private SlotJudge prepare(ClusterFilter filter, ClusterState state) {
        try {
            return filter.judge(cycle, pod, state.columns());
        } catch (Throwable broken) {
            throw PluginFailure.filtering(filter.name(), broken);
        }
    }

    /// Whether a filter that is not node-local has anything to say.
    boolean isBusy(int position) {
        return !skipped[position] && !(filters.get(position) instanceof NodeLocalFilter);
    }

    /// How the filter at a position judges from columns; null where it does not.
    @Nullable SlotJudge judgeAt(int position) {
        return judges[position];
    }

    /// Whether the filter at a position judges from columns.
    boolean isColumnar(int position) {
        return judges[position] != null;
    }

    /// Whether every filter that has something to say judges from columns.
    boolean areColumnar() {
        for (int i = 0; i < judges.length; i++) {
            if (judges[i] == null && !skipped[i]) {
                return false;
            }
        }
        return true;
    }

    /// Hot: the verdict of the columnar filter at a position.
    boolean passes(int position, int slot) {
        var judge = judges[position];
        try {
            return judge == null || judge.passes(slot);
        } catch (Throwable broken) {
            throw PluginFailure.filtering(filters.get(position).name(), broken);
        }
    }

    /// Hot: lets the columnar filter at a position choose among slots, see [SlotJudge#retain].
    int retain(int position, int[] slots, int count) {
        var judge = judges[position];
        try {
            return judge == null ? count : judge.retain(slots, count);
        } catch (Throwable broken) {
            throw PluginFailure.filtering(filters.get(position).name(), broken);
        }
    }

    /// What the columnar filter at a position goes by, see [SlotJudge#traits].
    @Nullable List<SlotTrait> traits(int position) {
        var judge = judges[position];
        try {
            return judge == null ? null : judge.traits();
        } catch (Throwable broken) {
            throw PluginFailure.filtering(filters.get(position).name(), broken);
        }
    }

    /// Asks one filter about one node in words.
    @Nullable Rejection ask(int position, NodeView node) {
        if (skipped[position]) {
            return null;
        }
        var filter = filters.get(position);
        Verdict verdict;
        try {
            var judge = judges[position];
            if (judge == null) {
                verdict = filter.filter(cycle, pod, node);
            } else {
                verdict = judge.passes(node.slot()) ? Verdict.PASS : judge.explain(node.slot());
            }
        } catch (Throwable broken) {
            throw PluginFailure.filtering(filter.name(), broken);
        }
        return verdict instanceof Refusal refusal ? rejection(filter.name(), refusal) : null;
    }

    @SuppressWarnings("ReferenceEquality") // filters share refusals; an equal one is another
    private Rejection rejection(String plugin, Refusal refusal) {
        var last = lastRejection;
        if (last != null && last.refusal() == refusal && last.plugin().equals(plugin)) {
            return last;
        }
        var made = new Rejection(plugin, refusal);
        lastRejection = made;
        return made;
    }

    /// What the node has too little of in the eyes of one filter that refuses it.
    List<Lack> lacks(int position, NodeView node) {
        var judge = judges[position];
        return judge == null ? List.of() : judge.lacks(node.slot());
    }

    /// Why one filter refuses the node, more exactly than in its own words.
    String detail(int position, NodeView node) {
        var judge = judges[position];
        return judge == null ? "" : judge.detail(node.slot());
    }

    /// Whether no filter refuses the node.
    boolean passesAll(NodeView node) {
        for (int i = 0; i < judges.length; i++) {
            if (!skipped[i] && !passes(i, node)) {
                return false;
            }
        }
        return true;
    }

    private boolean passes(int position, NodeView node) {
        return judges[position] == null
                ? ask(position, node) == null
                : passes(position, node.slot());
    }

    /// Moves those of the first `count` slots that no filter refuses to the front, in their order.
    ///
    /// @return how many there are
    int retainAll(int[] slots, int count, ClusterState state) {
        int kept = count;
        for (int i = 0; i < judges.length && kept > 0; i++) {
            if (!skipped[i]) {
                kept =
                        judges[i] == null
                                ? retainAsked(i, slots, kept, state)
                                : retain(i, slots, kept);
            }
        }
        return kept;
    }

    private int retainAsked(int position, int[] slots, int count, ClusterState state) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (ask(position, state.view(slots[i])) == null) {
                slots[kept++] = slots[i];
            }
        }
        return kept;
    }

    /// Whether the filter at a position has nothing to say about this pod.
    boolean isSilent(int position) {
        return skipped[position];
    }

    /// Asks all filters in order; the first that refuses decides (E-91).
    @Nullable Rejection firstRejection(NodeView node) {
        for (int i = 0; i < filters.size(); i++) {
            var rejection = ask(i, node);
            if (rejection != null) {
                return rejection;
            }
        }
        return null;
    }
}
