package io.berth.app.explain;

import io.berth.engine.query.EngineQueries;
import io.berth.engine.query.PendingPod;
import io.berth.lab.explain.Category;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// How many pods wait for what, by what the queue knows of them: no pod is judged anew, so that
/// this costs no more than a look at the queue. A pod that was tried in vain is told by the plugin
/// that the best of its nodes came to: filters are asked in an order, so where one for room refused
/// a node, the node suited the pod otherwise.
///
/// Whether a larger or another node would help takes a judgement; see `/berth/v1/pending`. Here
/// such pods are `NoSuitableNode`.
public final class PendingCounts {
    /// Filters by which a node is full, the last asked first.
    private static final List<String> ROOM =
            List.of(
                    "InterPodAffinity",
                    "PodTopologySpread",
                    "NodeVolumeLimits",
                    "NodeResourcesFit",
                    "NodePorts");

    private static final List<String> VOLUMES =
            List.of("VolumeZone", "VolumeBinding", "VolumeRestrictions");

    private PendingCounts() {}

    /// A line of the metric.
    ///
    /// @param plugin empty where none is to blame
    public record Key(Category category, String plugin) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byCategory = category.compareTo(other.category);
            return byCategory == 0 ? plugin.compareTo(other.plugin) : byCategory;
        }
    }

    /// On the engine thread.
    public static Map<Key, Integer> of(EngineQueries engine) {
        var counts = new TreeMap<Key, Integer>();
        for (var pending : engine.queue()) {
            counts.merge(key(pending), 1, Integer::sum);
        }
        int permits = engine.waiting().size();
        if (permits > 0) {
            counts.put(new Key(Category.WAITING_FOR_PERMIT, ""), permits);
        }
        return counts;
    }

    private static Key key(PendingPod pending) {
        if (!pending.gatedBy().isEmpty()) {
            return new Key(Category.GATED, pending.gatedBy());
        }
        return switch (pending.subQueue()) {
            case ACTIVE, OUT -> new Key(Category.WAITING_FOR_TURN, "");
            case ERROR_BACKOFF -> new Key(Category.ERROR, "");
            case BACKOFF, PARKED -> tried(pending);
        };
    }

    private static Key tried(PendingPod pending) {
        if (!pending.pod().nominatedNodeName().isEmpty()) {
            return new Key(Category.WAITING_FOR_VICTIMS, "");
        }
        var refusedBy = pending.refusedBy();
        if (refusedBy.isEmpty()) {
            return new Key(Category.BACKING_OFF, "");
        }
        for (var plugin : ROOM) {
            if (refusedBy.contains(plugin)) {
                return new Key(Category.WAITING_FOR_ROOM, plugin);
            }
        }
        for (var plugin : VOLUMES) {
            if (refusedBy.contains(plugin)) {
                return new Key(Category.WAITING_FOR_VOLUME, plugin);
            }
        }
        return new Key(Category.NO_SUITABLE_NODE, first(refusedBy));
    }

    private static String first(Set<String> plugins) {
        return plugins.stream().sorted().findFirst().orElse("");
    }
}
