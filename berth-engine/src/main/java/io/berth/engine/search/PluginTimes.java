package io.berth.engine.search;

import io.berth.api.plugin.Filter;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.engine.framework.CycleState;
import io.berth.engine.framework.Meter;
import io.berth.engine.framework.Seat;
import io.berth.engine.port.StatusCode;
import io.berth.engine.state.ClusterState;
import java.util.List;

/// Finds out what each column filter costs, in the attempts that were picked for it.
///
/// In the pass itself the filters take turns node by node, where reading a clock would cost more
/// than the filters do. So each is asked once more afterwards, alone: a filter whose verdicts are
/// kept with the shape about the nodes that were judged anew, the others about those that were
/// walked. A hundred or so nodes stand for all of them. A judgement is the same however often it is
/// asked for, so this changes nothing.
///
/// Owned by the engine thread.
final class PluginTimes {
    private static final int MOST_ASKED = 128;

    private final List<Seat<Filter>> filters;
    private final ClusterState state;
    private final Meter meter;

    PluginTimes(List<Seat<Filter>> filters, ClusterState state, Meter meter) {
        this.filters = filters;
        this.state = state;
        this.meter = meter;
    }

    void measure(CycleState cycle, Judges judges, ShapeResults shape, FilterPass pass) {
        try {
            for (int i = 0; i < filters.size(); i++) {
                if (cycle.skippedFilters().contains(filters.get(i).plugin())) {
                    continue;
                }
                var judge = judges.judgeAt(i);
                if (judge != null && filters.get(i).plugin() instanceof NodeLocalFilter) {
                    measureKept(cycle, i, judge, shape);
                } else if (judge != null) {
                    measureWalked(cycle, i, judge, shape, pass);
                }
            }
        } catch (Throwable broken) {
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
        int asked = Math.min(count, MOST_ASKED);
        int passing = 0;
        long begin = meter.beginPlugin(cycle);
        for (int i = 0; i < asked; i++) {
            passing += state.holdsNode(slots[i]) && judge.passes(slots[i]) ? 1 : 0;
        }
        meter.endPlugin(filters.get(index).metrics(), code(passing), begin, asked, count);
    }

    private void measureWalked(
            CycleState cycle, int index, SlotJudge judge, ShapeResults shape, FilterPass pass) {
        int asked = Math.min(pass.processed(), MOST_ASKED);
        if (asked == 0) {
            return;
        }
        short[] refusedBy = shape.refusedBy();
        int passing = 0;
        long begin = meter.beginPlugin(cycle);
        for (int i = 0; i < asked; i++) {
            int slot = pass.walked(i);
            passing += refusedBy[slot] == 0 && judge.passes(slot) ? 1 : 0;
        }
        meter.endPlugin(
                filters.get(index).metrics(), code(passing), begin, asked, pass.processed());
    }

    private static StatusCode code(int passing) {
        return passing > 0 ? StatusCode.SUCCESS : StatusCode.UNSCHEDULABLE;
    }
}
