package io.berth.plugins.nodeports;

import io.berth.api.column.NodeColumns;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.NodeLocalFilter;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxable;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.hint.Hints;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps pods that need the same port of the node apart.
public final class NodePorts implements PreFilter, NodeLocalFilter, Events, Relaxable {
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

    /// A pod in the node's own network has its ports there whether it wants them or not.
    @Override
    public List<Relaxation> relaxations(Pod pod, List<Obstacle> obstacles) {
        var found = new ArrayList<Relaxation>();
        if (!pod.spec().hostNetwork()) {
            for (var port : new LinkedHashSet<>(pod.spec().hostPorts())) {
                found.add(
                        new Relaxation(
                                "drop hostPort " + port.port() + "/" + port.protocol(),
                                Who.OWNER,
                                new Change.OfPod(without(pod, port), List.of(edit(port)))));
            }
        }
        return found;
    }

    /// Ports that are not the node's are not kept, so that the place in the list is not known.
    private static Edit edit(HostPort port) {
        return Edit.remove("", port.port());
    }

    private static Pod without(Pod pod, HostPort port) {
        var containers =
                pod.spec().containers().stream()
                        .map(container ->
                                new Container(
                                        container.name(),
                                        container.image(),
                                        container.requests(),
                                        container.limits(),
                                        container.hostPorts().stream()
                                                .filter(other -> !other.equals(port))
                                                .toList(),
                                        container.restartable()))
                        .toList();
        return pod.toBuilder().spec(pod.spec().toBuilder().containers(containers).build()).build();
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
