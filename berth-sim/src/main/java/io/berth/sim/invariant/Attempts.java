package io.berth.sim.invariant;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.queue.HintMap;
import io.berth.sim.fault.SimulatedExtender;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
                    "InterPodAffinity",
                    HintMap.EXTENDER);

    private final Supplier<Engine> engine;
    private final Preemptions preemptions;
    private final Map<String, Failure> failures = new HashMap<>();
    private int silentChanges;

    /// What a pod met at its last attempt.
    ///
    /// @param keptOutBy pods nominated to nodes that it would have fitted on otherwise
    /// @param isShunned whether pods that do not want it near them kept it from some node
    /// @param nodes the nodes there were
    /// @param silentChanges how many silent changes there had been
    record Failure(
            Set<String> keptOutBy, boolean isShunned, Map<String, Node> nodes, int silentChanges) {}

    public Attempts(Supplier<Engine> engine, Preemptions preemptions) {
        this.preemptions = preemptions;
        this.engine = engine;
    }

    /// What a pod met at its last attempt; null where that was no search that came to nothing.
    @Nullable Failure lastFailure(String uid) {
        return failures.get(uid);
    }

    /// To be called before the engine hears of a pod that has a node. One that was assumed in
    /// another form, or on another node, takes up less from then on without an event that says so
    /// (E-24).
    public void bindingSeen(Pod pod) {
        var state = engine.get().state();
        var assumed = state.isAssumed(pod.uid()) ? state.podOf(pod.uid()) : null;
        if (assumed != null
                && !(assumed.nodeName().equals(pod.nodeName())
                        && assumed.labels().equals(pod.labels())
                        && assumed.requests().equals(pod.requests()))) {
            silentChanges++;
        }
    }

    boolean hasChangedSilentlySince(Failure failure) {
        return failure.silentChanges < silentChanges;
    }

    /// To be called before the engine hears that a pod is gone. One that had no node, but whose
    /// status named one, kept others out, and its going wakes them (E-69).
    public void goingUnseen(String key) {
        var state = engine.get().state();
        var info = engine.get().queue().find(key);
        if (info != null
                && !info.pod().nominatedNodeName().isEmpty()
                && !state.isAssumed(info.pod().uid())) {
            failures.values().forEach(failure -> failure.keptOutBy.remove(key));
        }
    }

    /// To be called before the engine hears of a pod without a node. Where its status no longer
    /// names the node that it did, those that it kept out are woken (E-68).
    public void nominationSeen(Pod pod) {
        var info = engine.get().queue().find(pod.key());
        if (info != null
                && !info.pod().nominatedNodeName().isEmpty()
                && !info.pod().nominatedNodeName().equals(pod.nominatedNodeName())) {
            failures.values().forEach(failure -> failure.keptOutBy.remove(pod.key()));
        }
    }

    public void failed(Pod pod) {
        failures.remove(pod.uid());
        var queue = engine.get().queue();
        var info = queue.find(pod.key());
        if (info != null) {
            preemptions.checkFailed(info, queue.nominator());
        }
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
        var keptOutBy = new HashSet<String>();
        var nodes = new HashMap<String, Node>();
        boolean isShunned = false;
        for (var place : cluster.places()) {
            var node = place.node().name();
            nodes.put(node, place.node());
            var refusal = Reference.refusal(cluster, pod, node, plugins);
            if (refusal != null) {
                isShunned |= refusal.endsWith(Reference.SHUNNED);
                continue;
            }
            if (SimulatedExtender.keepsOut(pod, place.node())) {
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
            keptOutBy.addAll(expected);
        }
        failures.put(pod.uid(), new Failure(keptOutBy, isShunned, nodes, silentChanges));
    }
}
