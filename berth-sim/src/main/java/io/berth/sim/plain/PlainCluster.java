package io.berth.sim.plain;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Listers;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
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
    ///
    /// @param takenAway terminating pods that were on it before [PlainCluster#without]
    public record Place(Node node, List<Pod> pods, List<Pod> takenAway) {
        public Place {
            pods = List.copyOf(pods);
            takenAway = List.copyOf(takenAway);
        }

        Place(Node node, List<Pod> pods) {
            this(node, pods, List.of());
        }
    }

    private final Map<String, Place> places;
    private final PlainVolumes volumes;
    private final PlainDevices devices;

    private PlainCluster(Map<String, Place> places, PlainVolumes volumes, PlainDevices devices) {
        this.places = places;
        this.volumes = volumes;
        this.devices = devices;
    }

    public PlainVolumes volumes() {
        return volumes;
    }

    public PlainDevices devices() {
        return devices;
    }

    /// The cluster as a scheduler sees it.
    ///
    /// @param promises what it has promised to pods that it placed
    public static PlainCluster of(
            Collection<? extends NodeView> views, Listers listers, Promises promises) {
        var places = new LinkedHashMap<String, Place>();
        for (var view : views) {
            places.put(view.name(), new Place(view.node(), view.pods()));
        }
        return new PlainCluster(
                places,
                PlainVolumes.of(listers, promises),
                new PlainDevices(Sight.of(listers), promises.claims()));
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
        return new PlainCluster(
                places,
                PlainVolumes.of(server),
                new PlainDevices(Sight.of(server), ClaimView.of(server)));
    }

    public Collection<Place> places() {
        return places.values();
    }

    public @Nullable Place place(String node) {
        return places.get(node);
    }

    /// The cluster as if some pods were gone.
    public PlainCluster without(Set<String> uids) {
        var copy = new LinkedHashMap<String, Place>();
        places.forEach((name, place) -> {
            var left = new ArrayList<Pod>();
            var takenAway = new ArrayList<Pod>();
            for (var pod : place.pods) {
                if (!uids.contains(pod.uid())) {
                    left.add(pod);
                } else if (pod.isTerminating()) {
                    takenAway.add(pod);
                }
            }
            copy.put(name, new Place(place.node, left, takenAway));
        });
        return new PlainCluster(copy, volumes, devices);
    }

    /// The cluster as if some more pods were on a node. Whoever is added in thought counts, even
    /// where it is terminating (TS-12).
    public PlainCluster with(Collection<Pod> more, String node) {
        var place = places.get(node);
        if (place == null) {
            throw new IllegalArgumentException("no node " + node);
        }
        var pods = new ArrayList<>(place.pods);
        more.forEach(pod -> pods.add(pod.onNode(node).toBuilder().deletedAt(null).build()));
        var copy = new LinkedHashMap<>(places);
        copy.put(node, new Place(place.node, pods, place.takenAway));
        return new PlainCluster(copy, volumes, devices);
    }
}
