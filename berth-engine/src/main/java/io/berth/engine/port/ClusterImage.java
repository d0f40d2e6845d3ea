package io.berth.engine.port;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// All objects of a cluster as they were seen at one moment. Immutable: the objects are shared with
/// whoever holds them, the lists are its own.
///
/// The order of the lists counts: where the nodes of an engine that gave the image come in turns of
/// zones, an engine that is filled from it visits them in the same order, and each has its pods in
/// the order that they have here.
public final class ClusterImage {
    private final Map<Kind, List<ClusterObject>> objects;

    private ClusterImage(Map<Kind, List<ClusterObject>> objects) {
        this.objects = objects;
    }

    public static ClusterImage of(Collection<? extends ClusterObject> objects) {
        var byKind = new TreeMap<Kind, List<ClusterObject>>();
        for (var object : objects) {
            byKind.computeIfAbsent(object.kind(), kind -> new ArrayList<>()).add(object);
        }
        byKind.replaceAll((kind, list) -> List.copyOf(list));
        return new ClusterImage(byKind);
    }

    /// The kinds of which there are objects.
    public Set<Kind> kinds() {
        return Collections.unmodifiableSet(objects.keySet());
    }

    /// All objects of a kind.
    public List<ClusterObject> of(Kind kind) {
        return objects.getOrDefault(kind, List.of());
    }

    public List<Pod> pods() {
        return of(Kind.POD).stream().map(Pod.class::cast).toList();
    }

    public List<Node> nodes() {
        return of(Kind.NODE).stream().map(Node.class::cast).toList();
    }

    /// How many objects there are.
    public int size() {
        return objects.values().stream().mapToInt(List::size).sum();
    }

    /// Shows everything to a feed as the first lists of all kinds would. Pods come last, so that
    /// what they refer to is known.
    public void fill(ClusterFeed feed) {
        var kinds = new TreeSet<>(objects.keySet());
        kinds.addAll(List.of(Kind.values()));
        for (var kind : kinds) {
            if (kind != Kind.POD) {
                fill(feed, kind);
            }
        }
        fill(feed, Kind.POD);
    }

    private void fill(ClusterFeed feed, Kind kind) {
        of(kind).forEach(feed::seen);
        feed.synced(kind);
    }
}
