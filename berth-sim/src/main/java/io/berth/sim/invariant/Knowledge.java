package io.berth.sim.invariant;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.Stored;
import io.berth.sim.plain.Broken;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// The engine knows the cluster as it is, once it has heard everything.
final class Knowledge implements Invariant {
    private final Watched watched;
    private final Bindings bindings;

    Knowledge(Watched watched, Bindings bindings) {
        this.watched = watched;
        this.bindings = bindings;
    }

    @Override
    public void atRest() {
        checkPodsAreKnown(watched.engine(), watched.server());
        checkNodesAreKnown(watched.engine(), watched.server());
        checkOthersAreKnown(watched.engine(), watched.server());
    }

    private void checkPodsAreKnown(Engine engine, ApiServer server) {
        Map<String, Pod> assigned = new HashMap<>();
        for (var pod : server.pods()) {
            if (pod.isAssigned()) {
                assigned.put(pod.uid(), pod);
            } else if (engine.profiles().containsKey(pod.spec().schedulerName())) {
                Broken.require(
                        Inspection.of(engine).queue().find(pod.key()) != null
                                || bindings.unanswered().contains(pod.uid()),
                        "%s waits for a node, but not in the queue",
                        pod.key());
            }
        }
        for (var held : Inspection.of(engine).state().pods()) {
            if (!Inspection.of(engine).state().isAssumed(held.uid())) {
                Broken.require(
                        held.equals(assigned.remove(held.uid())),
                        "%s is held in a form that is not true",
                        held.key());
            }
        }
        Broken.require(assigned.isEmpty(), "the engine does not know of %s", assigned);
    }

    private static void checkNodesAreKnown(Engine engine, ApiServer server) {
        for (var stored : server.list(Kind.NODE)) {
            Broken.require(
                    stored.object()
                            .equals(Inspection.of(engine).state().node(stored.object().name())),
                    "the engine knows %s in a form that is not true",
                    stored.object());
        }
        int known = Inspection.of(engine).state().columns().nodeCount();
        Broken.require(
                known == server.list(Kind.NODE).size(),
                "the engine knows of %d nodes, but there are %d",
                known,
                server.list(Kind.NODE).size());
    }

    private static void checkOthersAreKnown(Engine engine, ApiServer server) {
        var listers = Inspection.of(engine).objects();
        for (var kind :
                List.of(
                        Kind.NAMESPACE,
                        Kind.POD_DISRUPTION_BUDGET,
                        Kind.SERVICE,
                        Kind.PERSISTENT_VOLUME,
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        Kind.STORAGE_CLASS,
                        Kind.CSI_NODE,
                        Kind.CSI_STORAGE_CAPACITY,
                        Kind.VOLUME_ATTACHMENT,
                        Kind.DEVICE_CLASS,
                        Kind.RESOURCE_SLICE,
                        Kind.RESOURCE_CLAIM)) {
            requireKnown(server, kind, listers.of(kind, ClusterObject.class).all());
        }
    }

    private static void requireKnown(
            ApiServer server, Kind kind, Collection<? extends ClusterObject> known) {
        var there = server.list(kind).stream().map(Stored::object).toList();
        Broken.require(
                new HashSet<>(known).equals(new HashSet<>(there)),
                "the engine knows %s, but there are %s",
                known,
                there);
    }
}
