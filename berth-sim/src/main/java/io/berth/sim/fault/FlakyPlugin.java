package io.berth.sim.fault;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PostBind;
import io.berth.api.plugin.PreBind;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.ReserveVerdict;
import io.berth.api.verdict.Verdict;
import java.util.List;

/// A plugin that agrees with everything, but now and then breaks, at any extension point.
public final class FlakyPlugin
        implements PreFilter, PreScore, Score, Reserve, Permit, PreBind, PostBind, Events {
    public static final String NAME = "Flaky";

    private final Mishaps.Prone mishaps;

    public FlakyPlugin(Mishaps.Prone mishaps) {
        this.mishaps = mishaps;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Registration> events() {
        return List.of();
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        mishaps.perhaps("preFilter");
        return PreFilterVerdict.PASS;
    }

    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        mishaps.perhaps("preScore");
        return true;
    }

    @Override
    public long score(Cycle cycle, Pod pod, NodeView node) {
        mishaps.perhaps("score");
        return 1;
    }

    @Override
    public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("reserve");
        return ReserveVerdict.PASS;
    }

    @Override
    public void unreserve(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("unreserve");
    }

    @Override
    public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("permit");
        return PermitVerdict.PASS;
    }

    @Override
    public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("hasWork");
        return pod.uid().hashCode() % 2 == 0;
    }

    @Override
    public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("preBind");
        return PreBindVerdict.PASS;
    }

    @Override
    public boolean allowsParallel() {
        return true;
    }

    @Override
    public void cancelPreBind(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("cancelPreBind");
    }

    @Override
    public void postBind(Cycle cycle, Pod pod, String nodeName) {
        mishaps.perhaps("postBind");
    }

    /// A plugin that prepares some bindings beside the other one.
    public static final class FlakyNeighbour implements PreBind {
        public static final String NAME = "FlakyNeighbour";

        private final Mishaps.Prone mishaps;

        public FlakyNeighbour(Mishaps.Prone mishaps) {
            this.mishaps = mishaps;
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public boolean hasWork(Cycle cycle, Pod pod, String nodeName) {
            return pod.uid().hashCode() % 3 == 0;
        }

        @Override
        public boolean allowsParallel() {
            return true;
        }

        @Override
        public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
            mishaps.perhaps("neighbour's preBind");
            return PreBindVerdict.PASS;
        }
    }

    /// A filter over columns that breaks, in the middle of a pass or while it is prepared.
    public static final class FlakyFilter implements NodeLocalFilter, Events {
        public static final String NAME = "FlakyFilter";

        private final Mishaps.Prone mishaps;

        public FlakyFilter(Mishaps.Prone mishaps) {
            this.mishaps = mishaps;
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public List<Registration> events() {
            return List.of();
        }

        @Override
        public SlotJudge judge(PodSpec spec, NodeColumns columns) {
            mishaps.perhaps("judge");
            return new SlotJudge() {
                @Override
                public boolean passes(int slot) {
                    mishaps.perhaps("passes");
                    return true;
                }

                @Override
                public Verdict explain(int slot) {
                    return Verdict.PASS;
                }
            };
        }
    }
}
