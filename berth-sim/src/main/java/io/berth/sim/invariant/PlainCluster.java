package io.berth.sim.invariant;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.NodeView;
import io.berth.sim.cluster.ApiServer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Nodes and the pods on them, as plain lists.
public final class PlainCluster {
    /// A node with its pods.
    public record Place(Node node, List<Pod> pods) {
        public Place {
            pods = List.copyOf(pods);
        }
    }

    private final Map<String, Place> places;

    private PlainCluster(Map<String, Place> places) {
        this.places = places;
    }

    /// The cluster as a scheduler sees it.
    public static PlainCluster of(Collection<? extends NodeView> views) {
        var places = new LinkedHashMap<String, Place>();
        for (var view : views) {
            places.put(view.name(), new Place(view.node(), view.pods()));
        }
        return new PlainCluster(places);
    }

    /// The cluster as it is.
    public static PlainCluster of(ApiServer server) {
        var places = new LinkedHashMap<String, Place>();
        var pods = server.pods();
        for (var node : server.nodes()) {
            places.put(
                    node.name(),
                    new Place(
                            node,
                            pods.stream()
                                    .filter(pod -> pod.nodeName().equals(node.name()))
                                    .toList()));
        }
        return new PlainCluster(places);
    }

    public Collection<Place> places() {
        return places.values();
    }

    public @Nullable Place place(String node) {
        return places.get(node);
    }

    public PlainCluster without(Set<String> uids) {
        var copy = new LinkedHashMap<String, Place>();
        places.forEach(
                (name, place) ->
                        copy.put(
                                name,
                                new Place(
                                        place.node,
                                        place.pods.stream()
                                                .filter(pod -> !uids.contains(pod.uid()))
                                                .toList())));
        return new PlainCluster(copy);
    }

    public PlainCluster with(Collection<Pod> more, String node) {
        var place = places.get(node);
        if (place == null) {
            throw new IllegalArgumentException("no node " + node);
        }
        var pods = new ArrayList<>(place.pods);
        more.forEach(pod -> pods.add(pod.onNode(node)));
        var copy = new LinkedHashMap<>(places);
        copy.put(node, new Place(place.node, pods));
        return new PlainCluster(copy);
    }
}
