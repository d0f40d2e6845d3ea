package io.berth.plugins.device;

import io.berth.api.model.Node;
import io.berth.api.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All slices, and which of them a node sees (contract rules DR-25 to DR-28).
///
/// Owned by the engine thread.
public final class Inventory {
    private final boolean isPartitionable;
    private final Map<String, SliceView> byName = new HashMap<>();
    private final Map<PoolId, TreeMap<String, SliceView>> byPool = new HashMap<>();

    /// Slices for one node, and those that any node may see, each by name.
    private final Map<String, TreeMap<String, SliceView>> byNode = new HashMap<>();

    private final TreeMap<String, SliceView> shared = new TreeMap<>();

    /// Slices with counters, which every node sees, by name.
    private final Map<PoolId, TreeMap<String, SliceView>> counters = new HashMap<>();

    /// Pools that nobody can use, as they look to nodes that see no more of them than counters.
    /// From those that can be used such nodes get nothing, so that they need not know them.
    private final TreeMap<PoolId, Pool> troubled = new TreeMap<>();

    /// When something last changed, counted in changes: of all slices that any node may see, of
    /// pools in trouble, of slices for one node, of a pool.
    private long changes;

    private long sharedChange;
    private long troubleChange;
    private final Map<String, Long> nodeChanges = new HashMap<>();
    private final Map<PoolId, Long> poolChanges = new HashMap<>();
    private final Map<String, Seen> seen = new HashMap<>();

    /// The pools of a node, as they were after a number of changes.
    ///
    /// @param ids of all pools that have slices for the node, also of those that are being replaced
    private record Seen(Node node, long change, List<Pool> pools, Set<PoolId> ids) {}

    public Inventory(boolean isPartitionable) {
        this.isPartitionable = isPartitionable;
    }

    /// A slice came (before is null), changed, or went (after is null).
    ///
    /// @return whether nodes may be concerned that neither have the slice nor others of its pool
    public boolean changed(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        changes++;
        if (before != null) {
            var view = byName.remove(before.name());
            if (view != null) {
                remove(byPool, view.pool(), before.name());
                remove(view);
            }
        }
        if (after != null) {
            var view = new SliceView(after);
            byName.put(after.name(), view);
            byPool.computeIfAbsent(view.pool(), _ -> new TreeMap<>()).put(after.name(), view);
            add(view);
        }
        note(before);
        note(after);
        return sharedChange == changes || troubleChange == changes;
    }

    private void add(SliceView view) {
        var slice = view.slice();
        if (view.hasCounters()) {
            counters.computeIfAbsent(view.pool(), _ -> new TreeMap<>()).put(slice.name(), view);
        } else if (isShared(slice)) {
            shared.put(slice.name(), view);
        } else {
            byNode.computeIfAbsent(slice.nodes().nodeName(), _ -> new TreeMap<>())
                    .put(slice.name(), view);
        }
    }

    private void remove(SliceView view) {
        var slice = view.slice();
        if (view.hasCounters()) {
            remove(counters, view.pool(), slice.name());
        } else if (isShared(slice)) {
            shared.remove(slice.name());
        } else {
            remove(byNode, slice.nodes().nodeName(), slice.name());
        }
    }

    private void note(@Nullable ResourceSlice slice) {
        if (slice == null) {
            return;
        }
        var pool = new PoolId(slice.driver(), slice.pool().name());
        if (slice.sharedCounters().isEmpty()) {
            if (isShared(slice)) {
                sharedChange = changes;
            } else {
                nodeChanges.put(slice.nodes().nodeName(), changes);
            }
        }
        poolChanges.put(pool, changes);
        noteTrouble(pool);
    }

    private void noteTrouble(PoolId id) {
        var views = isPartitionable ? counters.get(id) : null;
        var newest = new TreeMap<PoolId, List<SliceView>>();
        if (views != null) {
            views.values().forEach(view -> addNewest(view, newest));
        }
        var relevant = newest.get(id);
        var pool = relevant == null ? null : build(id, relevant);
        var now = pool == null || pool.isUsable() ? null : pool;
        var before = now == null ? troubled.remove(id) : troubled.put(id, now);
        if (!Objects.equals(before, now)) {
            troubleChange = changes;
        }
    }

    private static <K, V extends Map<String, SliceView>> void remove(
            Map<K, V> from, K key, String sliceName) {
        var views = from.get(key);
        if (views != null) {
            views.remove(sliceName);
            if (views.isEmpty()) {
                from.remove(key);
            }
        }
    }

    private static boolean isShared(ResourceSlice slice) {
        return slice.nodes().nodeName().isEmpty();
    }

    /// The pools that a node sees, in the order in which devices are looked for. Kept until one of
    /// them or the node changes.
    List<Pool> poolsOf(Node node) {
        return see(node).pools;
    }

    /// All pools that have a slice for a node.
    Set<PoolId> poolIdsOf(Node node) {
        return see(node).ids;
    }

    private Seen see(Node node) {
        var known = seen.get(node.name());
        if (known == null || !known.node.equals(node) || lastChange(known) > known.change) {
            known = gather(node);
            seen.put(node.name(), known);
        }
        return known;
    }

    private long lastChange(Seen known) {
        long last = Math.max(sharedChange, troubleChange);
        last = Math.max(last, nodeChanges.getOrDefault(known.node.name(), 0L));
        for (var id : known.ids) {
            last = Math.max(last, poolChanges.getOrDefault(id, 0L));
        }
        return last;
    }

    /// A node is gone.
    public void forget(String node) {
        seen.remove(node);
    }

    private Seen gather(Node node) {
        var newest = new TreeMap<PoolId, List<SliceView>>();
        var own = byNode.get(node.name());
        if (own != null) {
            gather(own.values(), node, newest);
        }
        gather(shared.values(), node, newest);
        if (isPartitionable) {
            for (var id : newest.keySet()) {
                counters.getOrDefault(id, new TreeMap<>())
                        .values()
                        .forEach(view -> addNewest(view, newest));
            }
        }
        var pools = new TreeMap<>(troubled);
        newest.forEach((id, relevant) -> {
            relevant.sort(Comparator.comparing(view -> view.slice().name()));
            var pool = build(id, relevant);
            if (pool == null) {
                pools.remove(id);
            } else {
                pools.put(id, pool);
            }
        });
        var result = new ArrayList<Pool>(pools.size());
        var last = new ArrayList<Pool>();
        pools.values().forEach(pool -> (pool.hasBindingConditions() ? last : result).add(pool));
        result.addAll(last);
        return new Seen(node, changes, result, Set.copyOf(newest.keySet()));
    }

    private @Nullable Pool build(PoolId id, List<SliceView> relevant) {
        var all = byPool.getOrDefault(id, new TreeMap<>()).values();
        return PoolBuilder.build(id, relevant, List.copyOf(all), isPartitionable);
    }

    private void gather(
            Collection<SliceView> views, Node node, Map<PoolId, List<SliceView>> newest) {
        for (var view : views) {
            if (isRelevant(view.slice(), node)) {
                addNewest(view, newest);
            }
        }
    }

    /// Adds a slice to those of its pool, unless there are newer ones.
    private static void addNewest(SliceView view, Map<PoolId, List<SliceView>> newest) {
        var found = newest.computeIfAbsent(view.pool(), _ -> new ArrayList<>(2));
        if (!found.isEmpty() && view.generation() < found.getFirst().generation()) {
            return;
        }
        if (!found.isEmpty() && view.generation() > found.getFirst().generation()) {
            found.clear();
        }
        found.add(view);
    }

    private boolean isRelevant(ResourceSlice slice, Node node) {
        if (!isPartitionable && slice.isPerDevice() != null) {
            return false;
        }
        if (!slice.nodes().isNowhere()) {
            return slice.nodes().includes(node);
        }
        if (slice.asksDevices()) {
            for (var device : slice.devices()) {
                if (device.nodes().includes(node)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// All slices whose devices count for a node, of whatever generation, and those that leave that
    /// to their devices.
    List<SliceView> slicesOf(Node node) {
        var own = byNode.get(node.name());
        var result = own == null ? new ArrayList<SliceView>() : new ArrayList<>(own.values());
        for (var view : shared.values()) {
            var slice = view.slice();
            if (slice.asksDevices() || slice.nodes().isNowhere() || slice.nodes().includes(node)) {
                result.add(view);
            }
        }
        return result;
    }

    int size() {
        return byName.size();
    }
}
