package io.berth.sim.fault;

import io.berth.api.column.NodeView;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Extender;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.sim.time.Chance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/// Services outside that are slow and break now and then.
///
/// The licence office must be asked about licensed pods, and lets them onto nodes with fast disks
/// only. The courier may fail: it has no opinion on nodes and carries some bindings.
public final class SimulatedExtender implements Extender {
    /// Pods with this label concern the licence office.
    public static final String LABEL = "licensed";

    private final boolean isOffice;
    private final Chance chance;
    private final Mishaps outages;
    private final LongConsumer wait;
    private final ClusterWrites writes;
    private final Predicate<String> isFast;

    private SimulatedExtender(
            boolean isOffice,
            Chance chance,
            Mishaps outages,
            LongConsumer wait,
            ClusterWrites writes,
            Predicate<String> isFast) {
        this.isOffice = isOffice;
        this.chance = chance;
        this.outages = outages;
        this.wait = wait;
        this.writes = writes;
        this.isFast = isFast;
    }

    /// @param wait keeps the engine busy for so many milliseconds
    /// @param isFast whether a node of this name has fast disks
    public static List<Extender> all(
            Chance chance,
            Mishaps outages,
            LongConsumer wait,
            ClusterWrites writes,
            Predicate<String> isFast) {
        return List.of(
                new SimulatedExtender(false, chance.split(), outages, wait, writes, isFast),
                new SimulatedExtender(true, chance.split(), outages, wait, writes, isFast));
    }

    /// Whether the licence office keeps the pod from the node.
    public static boolean keepsOut(Pod pod, Node node) {
        return pod.labels().has(LABEL) && !isFast(node);
    }

    public static boolean isFast(Node node) {
        return "ssd".equals(node.labels().value("disk"));
    }

    @Override
    public String name() {
        return isOffice ? "licence-office" : "courier";
    }

    @Override
    public boolean isIgnorable() {
        return !isOffice;
    }

    @Override
    public boolean isInterested(Pod pod) {
        return isOffice ? pod.labels().has(LABEL) : pod.uid().hashCode() % 3 == 0;
    }

    @Override
    public boolean isFilter() {
        return true;
    }

    @Override
    public boolean isPrioritizer() {
        return isOffice;
    }

    @Override
    public boolean isBinder() {
        return !isOffice;
    }

    @Override
    public boolean supportsPreemption() {
        return isOffice;
    }

    @Override
    public long weight() {
        return isOffice ? 1 : 0;
    }

    private void answerOrFail(String what) {
        wait.accept(chance.happens(0.1) ? chance.between(100, 5_000) : chance.between(0, 20));
        outages.perhaps(name() + " at " + what);
    }

    @Override
    public Filtered filter(Pod pod, List<NodeView> nodes) {
        answerOrFail("filter");
        var left = new ArrayList<String>();
        var failed = new LinkedHashMap<String, String>();
        var unresolvable = new LinkedHashMap<String, String>();
        for (var node : nodes) {
            if (!isOffice || !keepsOut(pod, node.node())) {
                left.add(node.name());
                continue;
            }
            switch (node.name().charAt(node.name().length() - 1) % 3) {
                case 0 -> failed.put(node.name(), "no licence");
                case 1 -> unresolvable.put(node.name(), "no licence ever");
                default -> {} // without a word
            }
        }
        return new Filtered(left, failed, unresolvable);
    }

    @Override
    public List<HostScore> prioritize(Pod pod, List<NodeView> nodes) {
        answerOrFail("prioritize");
        return nodes.stream()
                .map(node -> new HostScore(node.name(), Math.floorMod(node.name().hashCode(), 11)))
                .toList();
    }

    @Override
    public void bind(Pod pod, String nodeName) {
        outages.perhaps(name() + " at bind");
        writes.send(new Write.Bind(pod, nodeName));
    }

    /// An eviction does not make a disk faster, so those candidates are dropped.
    @Override
    public Map<String, ChosenVictims> preempt(Pod pod, Map<String, Victims> candidates) {
        answerOrFail("preempt");
        var left = new LinkedHashMap<String, ChosenVictims>();
        candidates.forEach((name, victims) -> {
            if (isFast.test(name)) {
                left.put(
                        name,
                        new ChosenVictims(
                                victims.pods().stream().map(Pod::uid).toList(),
                                victims.violations()));
            }
        });
        return left;
    }
}
