package io.berth.plugins.tainttoleration;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreScore;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.plugin.SlotScore;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.hint.Hints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes whose taints they do not tolerate, and prefers nodes with few of the taints
/// that only say "rather not".
public final class TaintToleration
        implements NodeLocalFilter, PreScore, NodeLocalScore, Normalize, Events, Relaxable {
    public static final String NAME = "TaintToleration";

    static final Refusal UNTOLERATED = Refusal.hopeless("node(s) had untolerated taint(s)");

    private final Tolerations tolerations;

    public TaintToleration(Tolerations tolerations) {
        this.tolerations = tolerations;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        return new Judge(TaintVerdicts.ofRepelling(tolerations.of(spec), columns));
    }

    /// Never left out: a pod without tolerations is the usual case of a low score.
    @Override
    public boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible) {
        return true;
    }

    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        return TaintVerdicts.ofDiscouraging(tolerations.of(spec), columns)::count;
    }

    @Override
    public void normalize(Cycle cycle, Pod pod, Scores scores) {
        Normalize.proportionally(scores, true);
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return TaintRelaxations.of(pod, tolerations.of(pod.spec()), obstacles);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_TAINT,
                        this::nodeBecameTolerable),
                Registration.of(
                        ClusterEvent.POD,
                        Action.UPDATE_POD_TOLERATION,
                        (waiting, before, after) ->
                                Hints.queueIf(Hints.isSame(waiting, Hints.pod(after)))));
    }

    private Hint nodeBecameTolerable(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var counting = tolerations.of(waiting.spec());
        var old = Hints.node(before);
        var now = Hints.node(after);
        return Hints.queueIf(
                (old == null || TaintVerdicts.repels(old.taints(), counting))
                        && now != null
                        && !TaintVerdicts.repels(now.taints(), counting));
    }

    private record Judge(TaintVerdicts untolerated) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return untolerated.count(slot) == 0;
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : UNTOLERATED;
        }
    }
}
