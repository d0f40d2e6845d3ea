package io.berth.sim.invariant;

import io.berth.api.event.Registration;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.PreFilterVerdict;
import io.berth.api.plugin.Reserve;
import io.berth.api.plugin.ReserveVerdict;
import io.berth.sim.fault.SimulatedExtender;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Looks at every choice the moment it is made: it must be the pod's turn, and the node must exist
/// and must be able to take the pod, by the plain reading of the contract. Sits in the profile as a
/// plugin of its own.
public final class DecisionCheck implements PreFilter, Reserve, Events {
    public static final String NAME = "DecisionCheck";

    private final Handle handle;
    private final Consumer<String> story;

    private final SharedPorts sharedPorts;
    private final Turns turns;
    private final Set<String> reserved = new HashSet<>();

    public DecisionCheck(
            Handle handle, Consumer<String> story, SharedPorts sharedPorts, Turns turns) {
        this.sharedPorts = sharedPorts;
        this.turns = turns;
        this.handle = handle;
        this.story = story;
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
        turns.asked(pod);
        return PreFilterVerdict.PASS;
    }

    @Override
    public ReserveVerdict reserve(Cycle cycle, Pod pod, String nodeName) {
        story.accept("chose " + nodeName + " for " + pod.key());
        Broken.require(
                reserved.add(pod.uid()),
                "%s has a reservation already, which nobody told to give back",
                pod.key());
        Set<String> plugins = new HashSet<>(handle.pluginNames());
        if (sharedPorts.matterTo(pod, nodeName)) {
            plugins.remove("NodePorts");
        }
        var cluster = PlainCluster.of(handle.nodes().all());
        var refusal = Reference.refusal(cluster, pod, nodeName, plugins);
        Broken.require(
                refusal == null,
                "%s was placed on %s, which cannot take it: %s",
                pod.key(),
                nodeName,
                refusal);
        var node = handle.nodes().byName(nodeName);
        Broken.require(
                node != null && !SimulatedExtender.keepsOut(pod, node.node()),
                "%s was placed on %s against the word of an extender",
                pod.key(),
                nodeName);
        checkBesideNominated(cluster, pod, nodeName, plugins);
        return ReserveVerdict.PASS;
    }

    /// Pods that expect the node, and are as important at least, must still fit (E-92).
    private void checkBesideNominated(
            PlainCluster cluster, Pod pod, String nodeName, Set<String> plugins) {
        var expected =
                handle.nominations().on(nodeName).stream()
                        .filter(other -> other.spec().priority() >= pod.spec().priority())
                        .filter(other -> !other.uid().equals(pod.uid()))
                        .toList();
        if (expected.isEmpty()) {
            return;
        }
        if (Reference.isUnconcerned(cluster, pod)) {
            plugins.remove("InterPodAffinity");
        }
        var refusal = Reference.refusal(cluster.with(expected, nodeName), pod, nodeName, plugins);
        Broken.require(
                refusal == null,
                "%s was placed on %s, where it takes the place of the nominated %s: %s",
                pod.key(),
                nodeName,
                expected,
                refusal);
    }

    @Override
    public void unreserve(Cycle cycle, Pod pod, String nodeName) {
        story.accept("gave back " + nodeName + " of " + pod.key());
        reserved.remove(pod.uid());
    }
}
