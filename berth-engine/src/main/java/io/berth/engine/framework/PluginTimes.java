package io.berth.engine.framework;

import io.berth.api.column.SlotJudge;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.engine.port.PluginMetrics;
import io.berth.engine.port.StatusCode;
import io.berth.engine.state.ClusterState;
import java.util.List;

/// Finds out what each column filter costs, in the attempts that were picked for it.
///
/// In the pass itself the filters take turns node by node, where reading a clock would cost more
/// than the filters do. So each is asked once more afterwards, alone and about all the nodes it was
/// really asked about: a filter whose verdicts are kept with the shape only about the nodes that
/// were judged anew, the others about all that were walked. Asking changes nothing.
///
/// Owned by the engine thread.
final class PluginTimes {
    private final List<Filter> filters;
    private final PluginMetrics[] metrics;
    private final ClusterState state;
    private final Meter meter;

    PluginTimes(List<Filter> filters, PluginMetrics[] metrics, ClusterState state, Meter meter) {
        this.filters = filters;
        this.metrics = metrics;
        this.state = state;
        this.meter = meter;
    }

    void measure(CycleState cycle, Judges judges, ShapeResults shape, FilterPass pass) {
        try {
            for (int i = 0; i < filters.size(); i++) {
                if (cycle.skippedFilters.contains(filters.get(i))) {
                    continue;
                }
                var judge = judges.judgeAt(i);
                if (judge != null && filters.get(i) instanceof NodeLocalFilter) {
                    measureKept(cycle, i, judge, shape);
                } else if (judge != null) {
                    measureWalked(cycle, i, judge, shape, pass);
                }
            }
        } catch (RuntimeException | LinkageError broken) {
            // Whoever breaks here has broken, or will break, in the pass too.
            return;
        }
    }

    private void measureKept(CycleState cycle, int index, SlotJudge judge, ShapeResults shape) {
        int[] slots = shape.judgedSlots(state);
        int count = shape.judgedCount(state);
        if (count == 0) {
            return;
        }
        int passing = 0;
        long begin = meter.beginPlugin(cycle);
        for (int i = 0; i < count; i++) {
            passing += state.holdsNode(slots[i]) && judge.passes(slots[i]) ? 1 : 0;
        }
        meter.endPlugin(metrics[index], code(passing), begin);
    }

    private void measureWalked(
            CycleState cycle, int index, SlotJudge judge, ShapeResults shape, FilterPass pass) {
        short[] refusedBy = shape.refusedBy();
        int passing = 0;
        long begin = meter.beginPlugin(cycle);
        for (int i = 0; i < pass.processed(); i++) {
            int slot = pass.walked(i);
            passing += refusedBy[slot] == 0 && judge.passes(slot) ? 1 : 0;
        }
        meter.endPlugin(metrics[index], code(passing), begin);
    }

    private static StatusCode code(int passing) {
        return passing > 0 ? StatusCode.SUCCESS : StatusCode.UNSCHEDULABLE;
    }
}
