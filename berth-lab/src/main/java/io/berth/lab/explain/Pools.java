package io.berth.lab.explain;

import static java.util.Objects.requireNonNull;

import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.lab.KnownCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Kinds of nodes that a cluster has, and what a fresh one of each would look like: empty but for
/// the pods of daemon sets.
///
/// Nodes are sorted into kinds again when one of them has changed. Of use to one thread at a time.
public final class Pools {
    /// Labels that say which pool a node belongs to.
    private static final List<String> POOL_LABELS =
            List.of(
                    "karpenter.sh/nodepool",
                    "eks.amazonaws.com/nodegroup",
                    "cloud.google.com/gke-nodepool",
                    "kubernetes.azure.com/agentpool",
                    "agentpool");

    private static final String TYPE_LABEL = "node.kubernetes.io/instance-type";
    private static final String OF_KUBERNETES = "node.kubernetes.io/";
    private static final String NEW = "a-new-node";
    private static final int MOST = 20;

    /// A kind of nodes.
    ///
    /// @param name the pool's, or else one of its nodes'
    /// @param fresh a new node of that kind
    /// @param daemons the pods that every node of that kind has
    record Pool(String name, String like, int count, Node fresh, List<Pod> daemons) {}

    private List<OfKind> kinds = List.of();
    private Map<String, Made> made = Map.of();
    private long nodesVersion = -1;

    /// Nodes of a kind.
    ///
    /// @param like the name of the first of them
    private record OfKind(String like, int count) {}

    /// A kind, and what it was made of.
    private record Made(Pool pool, Node like, List<Pod> pods) {}

    /// The kinds of nodes, the most frequent first.
    List<Pool> of(KnownCluster cluster) {
        if (nodesVersion != cluster.nodesVersion()) {
            kinds = kinds(cluster.nodes());
            nodesVersion = cluster.nodesVersion();
        }
        var now = new LinkedHashMap<String, Made>();
        kinds.forEach(kind -> now.put(kind.like, made(kind, cluster)));
        made = now;
        return now.values().stream().map(Made::pool).toList();
    }

    /// The one of the last question where the node and its pods are the same.
    @SuppressWarnings("ReferenceEquality")
    private Made made(OfKind kind, KnownCluster cluster) {
        var like = requireNonNull(cluster.nodesByName().get(kind.like));
        var pods = cluster.podsOn(kind.like);
        var known = made.get(kind.like);
        return known != null
                        && known.like == like
                        && known.pods == pods
                        && known.pool.count == kind.count
                ? known
                : new Made(pool(like, kind.count, pods), like, pods);
    }

    private static List<OfKind> kinds(Collection<Node> nodes) {
        var byPool = new LinkedHashMap<Object, List<Node>>();
        for (var node : nodes) {
            byPool.computeIfAbsent(key(node), _ -> new ArrayList<>()).add(node);
        }
        return byPool.values().stream()
                .sorted(Comparator.comparingInt(alike -> -alike.size()))
                .limit(MOST)
                .map(alike -> new OfKind(alike.getFirst().name(), alike.size()))
                .toList();
    }

    private static Object key(Node node) {
        var zone = node.labels().value(Node.ZONE_LABEL);
        for (var label : POOL_LABELS) {
            var pool = node.labels().value(label);
            if (pool != null) {
                return List.of(label, pool, zone == null ? "" : zone);
            }
        }
        return List.of(
                node.labels().without(Node.HOSTNAME_LABEL), lasting(node), node.allocatable());
    }

    private static Pool pool(Node like, int count, List<Pod> pods) {
        var fresh =
                like.toBuilder()
                        .name(NEW)
                        .uid(NEW)
                        .labels(renamed(like.labels()))
                        .taints(lasting(like))
                        .unschedulable(false)
                        .build();
        return new Pool(name(like), like.name(), count, fresh, daemons(pods));
    }

    private static Labels renamed(Labels labels) {
        return labels.has(Node.HOSTNAME_LABEL) ? labels.with(Node.HOSTNAME_LABEL, NEW) : labels;
    }

    /// Not those that Kubernetes sets for what happens to a node.
    private static List<io.berth.api.spec.Taint> lasting(Node node) {
        return node.taints().stream()
                .filter(taint -> !taint.key().startsWith(OF_KUBERNETES))
                .toList();
    }

    private static String name(Node node) {
        for (var label : POOL_LABELS) {
            var pool = node.labels().value(label);
            if (pool != null) {
                return "of pool \"" + pool + "\"" + type(node);
            }
        }
        return "like " + node.name() + type(node);
    }

    private static String type(Node node) {
        var type = node.labels().value(TYPE_LABEL);
        var zone = node.labels().value(Node.ZONE_LABEL);
        var words = new ArrayList<String>();
        if (type != null) {
            words.add(type);
        }
        if (zone != null) {
            words.add("zone " + zone);
        }
        return words.isEmpty() ? "" : " (" + String.join(", ", words) + ")";
    }

    private static List<Pod> daemons(List<Pod> pods) {
        var daemons = new ArrayList<Pod>();
        for (var pod : pods) {
            var owner = pod.controller();
            if (owner != null && owner.kind().equals("DaemonSet")) {
                var name = pod.name() + "-" + NEW;
                daemons.add(
                        pod.toBuilder()
                                .name(name)
                                .uid(pod.uid() + "-" + NEW)
                                .nodeName(NEW)
                                .build());
            }
        }
        return daemons;
    }
}
