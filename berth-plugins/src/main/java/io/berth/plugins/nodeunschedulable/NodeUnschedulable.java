package io.berth.plugins.nodeunschedulable;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Taint;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.hint.Hints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes that are marked unschedulable (cordoned), unless they tolerate that.
public final class NodeUnschedulable implements NodeLocalFilter, Events, Relaxable {
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

    /// Also the taint goes that comes with the mark.
    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        var opened = obstacles.stream().map(obstacle -> opened(obstacle.node())).toList();
        var which = opened.size() == 1 ? opened.getFirst().name() : opened.size() + " nodes";
        return List.of(
                new Relaxation(
                        "uncordon " + which,
                        Who.ADMIN,
                        new Change.OfNodes(opened, "kubectl uncordon %s")));
    }

    private static Node opened(Node node) {
        return node.toBuilder()
                .unschedulable(false)
                .taints(
                        node.taints().stream()
                                .filter(taint -> !taint.key().equals(TAINT.key()))
                                .toList())
                .build();
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
