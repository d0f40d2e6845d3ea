package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import io.berth.sim.fault.SimulatedExtender;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.Reference;
import java.util.Set;

/// Every node that is chosen exists and can take the pod, by the plain reading of the contract.
final class Choices implements Invariant {
    private final Watched watched;
    private final SharedPorts sharedPorts;
    private final PromisedVolumes volumes;

    Choices(Watched watched, SharedPorts sharedPorts, PromisedVolumes volumes) {
        this.volumes = volumes;
        this.watched = watched;
        this.sharedPorts = sharedPorts;
    }

    @Override
    public void atChoice(Pod pod, String nodeName) {
        var plugins = watched.pluginsFor(pod);
        if (sharedPorts.matterTo(pod, nodeName)) {
            plugins.remove("NodePorts");
        }
        var engine = Inspection.of(watched.engine());
        var cluster =
                PlainCluster.of(engine.state().nodes().all(), engine.objects(), volumes.promises());
        var refusal = Reference.refusal(cluster, pod, nodeName, plugins);
        Broken.require(
                refusal == null,
                "%s was placed on %s, which cannot take it: %s",
                pod.key(),
                nodeName,
                refusal);
        var node = Inspection.of(watched.engine()).state().node(nodeName);
        Broken.require(
                node != null && !SimulatedExtender.keepsOut(pod, node),
                "%s was placed on %s against the word of an extender",
                pod.key(),
                nodeName);
        checkBesideNominated(cluster, pod, nodeName, plugins);
    }

    /// Pods that expect the node, and are as important at least, must still fit (E-92).
    private void checkBesideNominated(
            PlainCluster cluster, Pod pod, String nodeName, Set<String> plugins) {
        var expected =
                Inspection.of(watched.engine()).queue().nominator().on(nodeName).stream()
                        .filter(other -> other.spec().priority() >= pod.spec().priority())
                        .filter(other -> !other.uid().equals(pod.uid()))
                        .toList();
        if (expected.isEmpty()) {
            return;
        }
        if (Reference.isUnconcerned(cluster, pod)) {
            plugins.remove("InterPodAffinity");
        }
        if (Reference.isUnrestricted(cluster, pod)) {
            plugins.remove("VolumeRestrictions");
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
}
