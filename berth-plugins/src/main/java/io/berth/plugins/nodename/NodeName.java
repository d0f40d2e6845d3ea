package io.berth.plugins.nodename;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterFilter;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import java.util.List;

/// Keeps a pod that names its node on that node.
public final class NodeName implements ClusterFilter, Events, Relaxable {
    public static final String NAME = "NodeName";

    static final Refusal OTHER_NODE =
            Refusal.hopeless("node(s) didn't match the requested node name");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SlotJudge judge(Cycle cycle, Pod pod, NodeColumns columns) {
        return pod.isAssigned() ? new Judge(pod.nodeName(), columns) : SlotJudge.PASS_ALL;
    }

    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        return List.of(
                new Relaxation(
                        "drop nodeName " + pod.nodeName(),
                        Who.OWNER,
                        new Change.OfPod(
                                pod.onNode(""),
                                List.of(Edit.remove("/spec/nodeName", pod.nodeName())))));
    }

    @Override
    public List<Registration> events() {
        return List.of(Registration.of(ClusterEvent.NODE, Action.ADD));
    }

    private record Judge(String wanted, NodeColumns columns) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return columns.node(slot).name().equals(wanted);
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : OTHER_NODE;
        }
    }
}
