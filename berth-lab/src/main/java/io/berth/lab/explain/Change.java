package io.berth.lab.explain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.KnownCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;

/// How a cluster would be different.
///
/// @param pod the pod in question, as it would be
/// @param nodes changed nodes and new ones
/// @param gone pods that would no longer be there
/// @param more pods that would be there too
/// @param objects changed objects of other kinds, and new ones
public record Change(
        Pod pod, List<Node> nodes, List<Pod> gone, List<Pod> more, List<ClusterObject> objects) {
    public Change {
        nodes = List.copyOf(nodes);
        gone = List.copyOf(gone);
        more = List.copyOf(more);
        objects = List.copyOf(objects);
    }

    static Change of(Pod pod) {
        return new Change(pod, List.of(), List.of(), List.of(), List.of());
    }

    Change withNodes(List<Node> changed) {
        var byName = new HashMap<String, Node>();
        nodes.forEach(node -> byName.put(node.name(), node));
        changed.forEach(node -> byName.put(node.name(), node));
        return new Change(pod, List.copyOf(byName.values()), gone, more, objects);
    }

    Change withPod(Pod changed) {
        return new Change(changed, nodes, gone, more, objects);
    }

    Change without(List<Pod> pods) {
        return new Change(pod, nodes, pods, more, objects);
    }

    Change withObjects(List<ClusterObject> changed) {
        var byKey = new LinkedHashMap<String, ClusterObject>();
        objects.forEach(object -> byKey.put(key(object), object));
        changed.forEach(object -> byKey.put(key(object), object));
        return new Change(pod, nodes, gone, more, List.copyOf(byKey.values()));
    }

    boolean isOfPodAlone() {
        return nodes.isEmpty() && gone.isEmpty() && more.isEmpty() && objects.isEmpty();
    }

    /// Tells an engine of all but the pod itself.
    void tell(ClusterFeed feed) {
        for (var object : objects) {
            replace(feed, object);
            feed.seen(object);
        }
        nodes.forEach(feed::seen);
        gone.forEach(other -> feed.gone(Kind.POD, other.namespace(), other.name()));
        more.forEach(feed::seen);
    }

    /// Takes it back.
    ///
    /// @param cluster everything that there was before
    void takeBack(ClusterFeed feed, KnownCluster cluster) {
        more.forEach(other -> feed.gone(Kind.POD, other.namespace(), other.name()));
        gone.forEach(feed::seen);
        for (var node : nodes) {
            var old = cluster.nodesByName().get(node.name());
            if (old == null) {
                feed.gone(Kind.NODE, "", node.name());
            } else {
                feed.seen(old);
            }
        }
        for (var object : objects) {
            replace(feed, object);
            cluster.object(object.kind(), object.key()).ifPresent(feed::seen);
        }
    }

    /// An object with the version of the one before, or an older one, would be taken for old news.
    private static void replace(ClusterFeed feed, ClusterObject object) {
        feed.gone(object.kind(), object.namespace(), object.name());
    }

    /// The cluster with the change.
    public ClusterImage in(ClusterImage image) {
        var replaced = new HashMap<String, ClusterObject>();
        nodes.forEach(node -> replaced.put(key(node), node));
        objects.forEach(object -> replaced.put(key(object), object));
        replaced.put(key(pod), pod);
        var missing = new HashMap<>(replaced);
        var all = new ArrayList<ClusterObject>();
        for (var kind : Kind.values()) {
            for (var object : image.of(kind)) {
                missing.remove(key(object));
                if (!(object instanceof Pod other) || !isGone(other)) {
                    all.add(replaced.getOrDefault(key(object), object));
                }
            }
        }
        all.addAll(missing.values());
        all.addAll(more);
        return ClusterImage.of(all);
    }

    private boolean isGone(Pod other) {
        return gone.stream().anyMatch(victim -> victim.key().equals(other.key()));
    }

    private static String key(ClusterObject object) {
        return object.kind() + " " + object.key();
    }
}
