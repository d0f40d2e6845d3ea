package io.berth.sim.invariant;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceSlice;
import io.berth.engine.Inspection;
import io.berth.engine.queue.HintMap;
import io.berth.sim.fault.SimulatedExtender;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.Reference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at every failed attempt the moment it is reported: where filters refused a pod on all
/// nodes, the plain reading of the contract must agree.
public final class Attempts implements Invariant {
    /// Plugins whose refusals the plain reading knows.
    private static final Set<String> KNOWN =
            Set.of(
                    "NodeUnschedulable",
                    "TaintToleration",
                    "NodeAffinity",
                    "NodePorts",
                    "NodeResourcesFit",
                    "VolumeRestrictions",
                    "NodeVolumeLimits",
                    "VolumeBinding",
                    "VolumeZone",
                    "PodTopologySpread",
                    "InterPodAffinity",
                    "DynamicResources",
                    HintMap.EXTENDER);

    private final Watched watched;
    private final Preemptions preemptions;
    private final PromisedVolumes volumes;
    private final Map<String, Failure> failures = new HashMap<>();
    private int silentChanges;

    /// What a pod met at its last attempt.
    ///
    /// @param keptOutBy pods nominated to nodes that it would have fitted on otherwise
    /// @param isShunned whether pods that do not want it near them, and are on their nodes or
    ///   nominated to them, kept it from some node
    /// @param nodes the nodes there were
    /// @param silentChanges how many silent changes there had been
    /// @param arePromised whether volumes were promised to other pods
    /// @param areInFlight whether devices were taken for other pods
    /// @param slices the names of the slices of devices that there were
    record Failure(
            Set<String> keptOutBy,
            boolean isShunned,
            Map<String, Node> nodes,
            int silentChanges,
            boolean arePromised,
            boolean areInFlight,
            Set<String> slices) {}

    Attempts(Watched watched, Preemptions preemptions, PromisedVolumes volumes) {
        this.volumes = volumes;
        this.preemptions = preemptions;
        this.watched = watched;
    }

    /// What a pod met at its last attempt; null where that was no search that came to nothing.
    @Nullable Failure lastFailure(String uid) {
        return failures.get(uid);
    }

    @Override
    public void beforeSeen(ClusterObject object) {
        if (object instanceof Pod pod) {
            if (pod.isAssigned()) {
                bindingSeen(pod);
            } else {
                nominationSeen(pod);
            }
        }
    }

    /// A pod that was assumed in another form, or on another node, takes up less from now on
    /// without an event that says so (E-24).
    private void bindingSeen(Pod pod) {
        var state = Inspection.of(watched.engine()).state();
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

    /// A pod that had no node, but whose status named one, kept others out, and its going wakes
    /// them (E-69).
    @Override
    public void beforeGone(Kind kind, String key) {
        if (kind != Kind.POD) {
            return;
        }
        var state = Inspection.of(watched.engine()).state();
        var info = Inspection.of(watched.engine()).queue().find(key);
        if (info != null
                && !info.pod().nominatedNodeName().isEmpty()
                && !state.isAssumed(info.pod().uid())) {
            failures.values().forEach(failure -> failure.keptOutBy.remove(key));
        }
    }

    /// Where a pod's status no longer names the node that it did, those that it kept out are woken
    /// (E-68).
    private void nominationSeen(Pod pod) {
        var info = Inspection.of(watched.engine()).queue().find(pod.key());
        if (info != null
                && !info.pod().nominatedNodeName().isEmpty()
                && !info.pod().nominatedNodeName().equals(pod.nominatedNodeName())) {
            failures.values().forEach(failure -> failure.keptOutBy.remove(pod.key()));
        }
    }

    @Override
    public void atFailure(Pod pod) {
        failures.remove(pod.uid());
        var queue = Inspection.of(watched.engine()).queue();
        var info = queue.find(pod.key());
        if (info != null) {
            preemptions.checkFailed(info, queue.nominator());
        }
        // One that is held back says who does that, not what it failed for.
        if (info == null
                || info.isGated()
                || info.unschedulablePlugins().isEmpty()
                || !KNOWN.containsAll(info.unschedulablePlugins())) {
            return;
        }
        var plugins = watched.pluginsFor(pod);
        var engine = Inspection.of(watched.engine());
        var cluster =
                PlainCluster.of(engine.state().nodes().all(), engine.objects(), volumes.promises());
        var keptOutBy = new HashSet<String>();
        var nodes = new HashMap<String, Node>();
        boolean isShunned = false;
        boolean isUnclear =
                info.unschedulablePlugins().contains("VolumeBinding")
                        && cluster.volumes().isUnclear(pod);
        for (var place : cluster.places()) {
            var node = place.node().name();
            nodes.put(node, place.node());
            var refusal = Reference.refusal(cluster, pod, node, plugins);
            if (refusal != null) {
                isShunned |= refusal.endsWith(Reference.SHUNNED);
                continue;
            }
            if (isUnclear || SimulatedExtender.keepsOut(pod, place.node())) {
                continue;
            }
            var expected =
                    queue.nominator().on(node).stream()
                            .filter(other ->
                                    !other.uid().equals(pod.uid())
                                            && other.spec().priority() >= pod.spec().priority())
                            .toList();
            Broken.require(
                    !expected.isEmpty(),
                    "%s was refused by %s, though it fits on %s",
                    pod.key(),
                    info.unschedulablePlugins(),
                    node);
            expected.forEach(other -> keptOutBy.add(other.key()));
            var beside = Reference.refusal(cluster.with(expected, node), pod, node, plugins);
            isShunned |= beside != null && beside.endsWith(Reference.SHUNNED);
        }
        failures.put(
                pod.uid(),
                new Failure(
                        keptOutBy,
                        isShunned,
                        nodes,
                        silentChanges,
                        volumes.promises().areAny(),
                        !volumes.claims().inFlight().isEmpty(),
                        slices()));
    }

    private Set<String> slices() {
        var names = new HashSet<String>();
        Inspection.of(watched.engine())
                .objects()
                .of(Kind.RESOURCE_SLICE, ResourceSlice.class)
                .all()
                .forEach(slice -> names.add(slice.name()));
        return names;
    }
}
