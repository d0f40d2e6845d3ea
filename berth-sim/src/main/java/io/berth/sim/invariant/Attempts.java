package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Looks at every failed attempt the moment it is reported: where filters refused a pod on all
/// nodes, the plain reading of the contract must agree.
public final class Attempts {
    /// Plugins whose refusals the plain reading knows.
    private static final Set<String> KNOWN =
            Set.of(
                    "NodeUnschedulable",
                    "TaintToleration",
                    "NodeAffinity",
                    "NodePorts",
                    "NodeResourcesFit",
                    "PodTopologySpread",
                    "InterPodAffinity");

    private final Supplier<Engine> engine;
    private final Map<String, Set<String>> keptOutBy = new HashMap<>();

    public Attempts(Supplier<Engine> engine) {
        this.engine = engine;
    }

    /// By uid: pods that fit somewhere at their last attempt, but for the pods nominated there.
    public Set<String> keptOutBy(String uid) {
        return keptOutBy.getOrDefault(uid, Set.of());
    }

    public void failed(Pod pod) {
        keptOutBy.remove(pod.uid());
        var queue = engine.get().queue();
        var info = queue.find(pod.key());
        if (info == null
                || info.unschedulablePlugins().isEmpty()
                || !KNOWN.containsAll(info.unschedulablePlugins())) {
            return;
        }
        var profile = engine.get().profiles().get(pod.spec().schedulerName());
        if (profile == null) {
            return;
        }
        var plugins = new HashSet<String>();
        profile.plugins().forEach(plugin -> plugins.add(plugin.name()));
        var cluster = PlainCluster.of(engine.get().state().nodes().all());
        for (var place : cluster.places()) {
            var node = place.node().name();
            if (Reference.refusal(cluster, pod, node, plugins) != null) {
                continue;
            }
            var expected = new HashSet<String>();
            for (var other : queue.nominator().on(node)) {
                if (!other.uid().equals(pod.uid())
                        && other.spec().priority() >= pod.spec().priority()) {
                    expected.add(other.key());
                }
            }
            Broken.require(
                    !expected.isEmpty(),
                    "%s was refused by %s, though it fits on %s",
                    pod.key(),
                    info.unschedulablePlugins(),
                    node);
            keptOutBy.computeIfAbsent(pod.uid(), uid -> new HashSet<>()).addAll(expected);
        }
    }
}
