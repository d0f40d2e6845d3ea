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
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;
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
        if (pod.spec().hostNetwork()) {
            return List.of();
        }
        return new LinkedHashSet<>(pod.spec().hostPorts())
                .stream()
                        .map(port ->
                                new Relaxation(
                                        "drop hostPort " + words(port),
                                        Who.OWNER,
                                        new Change.OfPod(without(pod, port), edits(pod, port))))
                        .toList();
    }

    private static String words(HostPort port) {
        return (port.ip().equals(HostPort.ANY_IP) ? "" : port.ip() + ":")
                + port.port()
                + "/"
                + port.protocol();
    }

    private static Pod without(Pod pod, HostPort port) {
        var spec = pod.spec();
        var changed =
                spec.toBuilder()
                        .containers(without(spec.containers(), port))
                        .initContainers(without(spec.initContainers(), port))
                        .build();
        return pod.toBuilder().spec(changed).build();
    }

    private static List<Container> without(List<Container> containers, HostPort port) {
        return containers.stream().map(container -> container.withoutHostPort(port)).toList();
    }

    private static List<Edit> edits(Pod pod, HostPort port) {
        var edits = new ArrayList<Edit>();
        var sidecars = pod.spec().initContainers();
        for (int i = 0; i < sidecars.size(); i++) {
            if (sidecars.get(i).restartable()) {
                edits.addAll(edits("/spec/initContainers/" + i, sidecars.get(i), port));
            }
        }
        var containers = pod.spec().containers();
        for (int i = 0; i < containers.size(); i++) {
            edits.addAll(edits("/spec/containers/" + i, containers.get(i), port));
        }
        return edits;
    }

    private static List<Edit> edits(String base, Container container, HostPort port) {
        return IntStream.range(0, container.hostPorts().size())
                .filter(i -> container.hostPorts().get(i).equals(port))
                .mapToObj(i -> base + "/ports/" + container.portPlaces().get(i) + "/hostPort")
                .map(path -> Edit.remove(path, port.port()))
                .toList();
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

        /// Which port, and who has it.
        @Override
        public String detail(int slot) {
            var told = new ArrayList<String>();
            for (var port : new LinkedHashSet<>(wanted)) {
                columns.node(slot).pods().stream()
                        .filter(other -> conflict(List.of(port), other.spec().hostPorts()))
                        .map(Pod::key)
                        .min(Comparator.naturalOrder())
                        .ifPresent(other ->
                                told.add("port %s is taken by %s".formatted(words(port), other)));
            }
            return String.join(", ", told);
        }

        @Override
        public Verdict explain(int slot) {
            return passes(slot) ? Verdict.PASS : TAKEN;
        }
    }
}
