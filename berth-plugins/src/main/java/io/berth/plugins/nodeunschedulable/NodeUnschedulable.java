package io.berth.plugins.nodeunschedulable;

import io.berth.api.column.Fact;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotJudge;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.model.PodSpec;
import io.berth.api.model.Taint;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Verdict;
import io.berth.plugins.hint.Hints;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes that are marked unschedulable (cordoned), unless they tolerate that.
public final class NodeUnschedulable implements NodeLocalFilter, Events {
    public static final String NAME = "NodeUnschedulable";

    static final Refusal UNSCHEDULABLE = Refusal.hopeless("node(s) were unschedulable");

    private static final Taint TAINT =
            new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        return tolerates(spec) ? SlotJudge.PASS_ALL : new Judge(columns.unschedulable());
    }

    private static boolean tolerates(PodSpec spec) {
        for (var toleration : spec.tolerations()) {
            if (toleration.tolerates(TAINT)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<Fact> reads() {
        return Set.of(Fact.NODE);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_TAINT,
                        NodeUnschedulable::nodeOpened),
                Registration.of(
                        ClusterEvent.POD,
                        Action.UPDATE_POD_TOLERATION,
                        NodeUnschedulable::ownTolerationGained));
    }

    /// Tolerations are not looked at: a pod that tolerates the mark was not refused by it.
    private static Hint nodeOpened(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.node(before);
        var now = Hints.node(after);
        return Hints.queueIf(
                now != null && !now.unschedulable() && (old == null || old.unschedulable()));
    }

    private static Hint ownTolerationGained(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var now = Hints.pod(after);
        return Hints.queueIf(now != null && Hints.isSame(waiting, now) && tolerates(now.spec()));
    }

    private record Judge(long[] unschedulable) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return (unschedulable[slot >>> 6] & 1L << slot) == 0;
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : UNSCHEDULABLE;
        }
    }
}
