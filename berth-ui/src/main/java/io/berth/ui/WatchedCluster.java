package io.berth.ui;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.ClusterImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The objects of a cluster as watches tell of them. Thread-safe.
public final class WatchedCluster implements ClusterFeed {
    private final Map<Kind, Map<String, ClusterObject>> objects = new TreeMap<>();

    private final Set<Kind> known = ConcurrentHashMap.newKeySet();

    public WatchedCluster() {
        for (var kind : Kind.values()) {
            objects.put(kind, new ConcurrentHashMap<>());
        }
    }

    private Map<String, ClusterObject> of(Kind kind) {
        var all = objects.get(kind);
        if (all == null) {
            throw new IllegalStateException("a kind that nobody knows: " + kind);
        }
        return all;
    }

    @Override
    public void seen(ClusterObject object) {
        of(object.kind()).put(object.key(), object);
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        of(kind).remove(namespace.isEmpty() ? name : namespace + "/" + name);
    }

    @Override
    public void synced(Kind kind) {
        known.add(kind);
    }

    /// Whether all there is of some kinds has been told.
    public boolean knows(Collection<Kind> kinds) {
        return known.containsAll(kinds);
    }

    /// All that is there now.
    public ClusterImage image() {
        var all = new ArrayList<ClusterObject>();
        objects.values().forEach(kind -> all.addAll(kind.values()));
        return ClusterImage.of(all);
    }
}
