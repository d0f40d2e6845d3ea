package io.berth.lab.explain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How a cluster would be different.
///
/// @param pod the pod in question, as it would be
/// @param nodes changed nodes and new ones
/// @param gone pods that would no longer be there
/// @param more pods that would be there too
public record Change(Pod pod, List<Node> nodes, List<Pod> gone, List<Pod> more) {
    public Change {
        nodes = List.copyOf(nodes);
        gone = List.copyOf(gone);
        more = List.copyOf(more);
    }

    static Change of(Pod pod) {
        return new Change(pod, List.of(), List.of(), List.of());
    }

    Change withNodes(List<Node> changed) {
        var byName = new HashMap<String, Node>();
        nodes.forEach(node -> byName.put(node.name(), node));
        changed.forEach(node -> byName.put(node.name(), node));
        return new Change(pod, List.copyOf(byName.values()), gone, more);
    }

    Change withPod(Pod changed) {
        return new Change(changed, nodes, gone, more);
    }

    Change without(List<Pod> pods) {
        return new Change(pod, nodes, pods, more);
    }

    boolean isOfPodAlone() {
        return nodes.isEmpty() && gone.isEmpty() && more.isEmpty();
    }

    /// Tells an engine of all but the pod itself.
    void tell(ClusterFeed feed) {
        nodes.forEach(feed::seen);
        gone.forEach(other -> feed.gone(Kind.POD, other.namespace(), other.name()));
        more.forEach(feed::seen);
    }

    /// Takes it back.
    ///
    /// @param known the nodes that there were before, by name
    void takeBack(ClusterFeed feed, Map<String, Node> known) {
        more.forEach(other -> feed.gone(Kind.POD, other.namespace(), other.name()));
        gone.forEach(feed::seen);
        for (var node : nodes) {
            var old = known.get(node.name());
            if (old == null) {
                feed.gone(Kind.NODE, "", node.name());
            } else {
                feed.seen(old);
            }
        }
    }

    /// The cluster with the change.
    public ClusterImage in(ClusterImage image) {
        var replaced = new HashMap<String, ClusterObject>();
        nodes.forEach(node -> replaced.put(key(node), node));
        replaced.put(key(pod), pod);
        var missing = new HashMap<>(replaced);
        var objects = new ArrayList<ClusterObject>();
        for (var kind : Kind.values()) {
            for (var object : image.of(kind)) {
                missing.remove(key(object));
                if (!(object instanceof Pod other) || !isGone(other)) {
                    objects.add(replaced.getOrDefault(key(object), object));
                }
            }
        }
        objects.addAll(missing.values());
        objects.addAll(more);
        return ClusterImage.of(objects);
    }

    private boolean isGone(Pod other) {
        return gone.stream().anyMatch(victim -> victim.key().equals(other.key()));
    }

    private static String key(ClusterObject object) {
        return object.kind() + " " + object.key();
    }
}
