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
    private final @Nullable PlainCluster real;
    private final List<Pod> gone;
    private final List<Pod> come;

    private PlainCluster(Map<String, Place> places, PlainVolumes volumes, PlainDevices devices) {
        this.places = places;
        this.volumes = volumes;
        this.devices = devices;
        this.real = null;
        this.gone = List.of();
        this.come = List.of();
    }

    private PlainCluster(
            PlainCluster before,
            Map<String, Place> places,
            Collection<Pod> gone,
            Collection<Pod> come) {
        this.places = places;
        this.volumes = before.volumes;
        this.devices = before.devices;
        this.real = before.real();
        this.gone = joined(before.gone, gone);
        this.come = joined(before.come, come);
    }

    private static List<Pod> joined(Collection<Pod> some, Collection<Pod> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
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

    /// The cluster as it was before any thought.
    PlainCluster real() {
        return real == null ? this : real;
    }

    /// Who is away in thought.
    List<Pod> gone() {
        return gone;
    }

    /// Who is there in thought alone.
    List<Pod> come() {
        return come;
    }

    public @Nullable Place place(String node) {
        return places.get(node);
    }

    /// The cluster as if some pods were gone.
    public PlainCluster without(Set<String> uids) {
        var copy = new LinkedHashMap<String, Place>();
        var allGone = new ArrayList<Pod>();
        places.forEach((name, place) -> {
            var left = new ArrayList<Pod>();
            var goneHere = new ArrayList<Pod>();
            place.pods.forEach(pod -> (uids.contains(pod.uid()) ? goneHere : left).add(pod));
            allGone.addAll(goneHere);
            var takenAway = goneHere.stream().filter(Pod::isTerminating).toList();
            copy.put(name, new Place(place.node, left, takenAway));
        });
        return new PlainCluster(this, copy, allGone, List.of());
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
        return new PlainCluster(this, copy, List.of(), more);
    }
}
