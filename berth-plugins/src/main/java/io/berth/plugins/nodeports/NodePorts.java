package io.berth.plugins.nodeports;

import io.berth.api.column.Fact;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotJudge;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.HostPort;
import io.berth.api.model.Pod;
import io.berth.api.model.PodSpec;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreFilterVerdict;
import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Verdict;
import io.berth.plugins.hint.Hints;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods that need the same port of the node apart.
public final class NodePorts implements PreFilter, NodeLocalFilter, Events {
    public static final String NAME = "NodePorts";

    static final Refusal TAKEN =
            Refusal.mayPreempt("node(s) didn't have free ports for the requested pod ports");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
        return pod.spec().hostPorts().isEmpty() ? PreFilterVerdict.SKIP : PreFilterVerdict.PASS;
    }

    @Override
    public SlotJudge judge(PodSpec spec, NodeColumns columns) {
        var wanted = spec.hostPorts();
        return wanted.isEmpty() ? SlotJudge.PASS_ALL : new Judge(wanted, columns);
    }

    @Override
    public Set<Fact> reads() {
        return Set.of(Fact.PODS);
    }

    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(ClusterEvent.POD, Action.DELETE, NodePorts::portFreed),
                Registration.of(ClusterEvent.NODE, Action.ADD));
    }

    private static Hint portFreed(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var gone = Hints.pod(before);
        return Hints.queueIf(
                gone != null
                        && Hints.isBoundOrNominated(gone)
                        && conflict(waiting.spec().hostPorts(), gone.spec().hostPorts()));
    }

    private static boolean conflict(List<HostPort> wanted, Collection<HostPort> used) {
        if (used.isEmpty()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            for (var port : used) {
                if (wanted.get(i).conflictsWith(port)) {
                    return true;
                }
            }
        }
        return false;
    }

    private record Judge(List<HostPort> wanted, NodeColumns columns) implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return !conflict(wanted, columns.node(slot).usedPorts());
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : TAKEN;
        }
    }
}
