package io.berth.lab;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// What a twin was told of a cluster, for those who ask the twin and for those who change it in
/// thought and have to take that back.
public interface KnownCluster {
    /// In the order of visits as far as that is known.
    Collection<Node> nodes();

    /// The same by name.
    Map<String, Node> nodesByName();

    /// Another one each time that a node came, went or changed in what kinds of nodes are told
    /// apart by: labels, taints, size, and whether it is cordoned.
    long nodesVersion();

    /// The pods that count on a node, in the order in which they are kept there.
    List<Pod> podsOn(String node);

    /// By `namespace/name`.
    Optional<Pod> pod(String key);

    /// The pods without a node, those of a scheduler that was asked in the order of its queue.
    List<Pod> podsWithoutNode();

    /// Shows all pods.
    void forEachPod(Consumer<Pod> consumer);

    int podCount();

    /// An object other than a node or a pod, by `namespace/name` or its name.
    Optional<ClusterObject> object(Kind kind, String key);
}
