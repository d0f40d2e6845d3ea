package io.berth.controllers.node;

import static io.berth.controllers.client.Resource.LEASES;
import static io.berth.controllers.client.Resource.NODES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Keeps the taints of nodes in step with their conditions, and notices nodes that fall silent.
///
/// Only a node that once renewed a lease can fall silent. Simulated nodes have none, and whoever
/// makes a node by hand has its word taken for it.
public final class NodeController implements Controller {
    private static final int WORKERS = 2;
    private static final String LEASE_NAMESPACE = "kube-node-lease";
    private static final Duration SILENCE = Duration.ofSeconds(50);
    private static final List<String> CONDITIONS =
            List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private final Cluster cluster;
    private final Informer<KubeObject> nodes;
    private final Loop loop;

    public NodeController(Cluster cluster) {
        this.cluster = cluster;
        this.nodes = cluster.of(NODES);
        this.loop = new Loop("nodes", WORKERS, cluster.timer(), this::reconcile);
        Notices.ofItself(nodes, loop);
        cluster.of(LEASES)
                .listen((before, after) -> {
                    if (before == null && after != null) {
                        loop.enqueue(after.meta().name());
                    }
                });
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String name) {
        KubeObject node = nodes.find(name).orElse(null);
        if (node == null || node.meta().isDeleting()) {
            return;
        }
        Instant now = cluster.now();
        KubeObject told = listenFor(node, now);
        ArrayNode taints = NodeTaints.wanted(told, now);
        JsonNode before = told.spec().path("taints");
        boolean same = before.isMissingNode() ? taints.isEmpty() : before.equals(taints);
        if (same) {
            return;
        }
        ObjectNode patch = Trees.metadataPatch(told.meta());
        patch.putObject("spec").set("taints", taints);
        cluster.patch(NODES, told.meta(), "", patch);
    }

    /// The node, with conditions unknown where it has not been heard of.
    private KubeObject listenFor(KubeObject node, Instant now) {
        Optional<Instant> renewed =
                cluster.of(LEASES)
                        .find(LEASE_NAMESPACE, node.meta().name())
                        .flatMap(lease -> Trees.instant(lease.spec().path("renewTime")));
        if (renewed.isEmpty()) {
            return node;
        }
        Duration left = Duration.between(now, renewed.get().plus(SILENCE));
        if (left.isPositive()) {
            loop.enqueueAfter(node.meta().key(), left);
            return node;
        }
        ObjectNode object = node.copy();
        ObjectNode status = Trees.child(object, "status");
        for (String type : CONDITIONS) {
            Conditions.set(
                    status,
                    type,
                    "Unknown",
                    "NodeStatusUnknown",
                    "Kubelet stopped posting node status.",
                    now);
        }
        return cluster.updateStatus(NODES, node, object);
    }

    @Override
    public void close() {
        loop.close();
    }
}
