package io.berth.sim.plain;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceId;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The devices that a node sees, in the order in which they are looked for (DR-25 to DR-28),
/// written down plainly for the pools that the simulator has: none of them is invalid.
final class PlainPools {
    private final List<Spot> spots = new ArrayList<>();

    /// By the pool, then by counter.
    private final Map<String, Map<String, Quantity>> counters = new HashMap<>();

    /// Devices of pools by pool, whoever can see them.
    private final Map<String, List<Spot>> whole = new HashMap<>();

    private boolean isIncomplete;

    /// A device and where it is.
    record Spot(DeviceId id, Device device) {
        String pool() {
            return id.driver() + "/" + id.pool();
        }
    }

    /// @param published see [#published]
    PlainPools(Map<String, List<ResourceSlice>> published, Node node) {
        published.forEach((id, all) -> {
            var seen = all.stream().filter(slice -> isSeen(slice, node)).toList();
            if (!seen.isEmpty()) {
                look(id, seen, all);
            }
        });
    }

    /// All slices by their pool, in order.
    static Map<String, List<ResourceSlice>> published(Sight sight) {
        // No name here has anything in it that sorts before the slash.
        var pools = new TreeMap<String, List<ResourceSlice>>();
        var slices = new ArrayList<>(sight.all(Kind.RESOURCE_SLICE, ResourceSlice.class));
        slices.sort(Comparator.comparing(ResourceSlice::name));
        for (var slice : slices) {
            var pool = slice.driver() + "/" + slice.pool().name();
            pools.computeIfAbsent(pool, _ -> new ArrayList<>()).add(slice);
        }
        return pools;
    }

    private static boolean isSeen(ResourceSlice slice, Node node) {
        return !slice.sharedCounters().isEmpty() || slice.nodes().includes(node);
    }

    private void look(String id, List<ResourceSlice> seen, List<ResourceSlice> all) {
        long newest = newest(seen);
        var current = of(newest, seen);
        long wanted = current.getFirst().pool().sliceCount();
        var present = of(newest, all);
        if (current.size() != wanted) {
            if (newest(all) > newest) {
                return;
            }
            if (present.size() != wanted) {
                isIncomplete = true;
                return;
            }
        }
        for (var slice : current) {
            slice.devices().forEach(device -> spots.add(spot(slice, device)));
            for (var set : slice.sharedCounters()) {
                set.counters()
                        .forEach((name, amount) ->
                                counters.computeIfAbsent(id, _ -> new HashMap<>())
                                        .put(set.name() + "/" + name, amount));
            }
        }
        for (var slice : present) {
            slice.devices()
                    .forEach(device ->
                            whole.computeIfAbsent(id, _ -> new ArrayList<>())
                                    .add(spot(slice, device)));
        }
    }

    private static Spot spot(ResourceSlice slice, Device device) {
        return new Spot(new DeviceId(slice.driver(), slice.pool().name(), device.name()), device);
    }

    private static long newest(List<ResourceSlice> slices) {
        return slices.stream().mapToLong(slice -> slice.pool().generation()).max().orElse(0);
    }

    private static List<ResourceSlice> of(long generation, List<ResourceSlice> slices) {
        return slices.stream().filter(slice -> slice.pool().generation() == generation).toList();
    }

    List<Spot> spots() {
        return spots;
    }

    /// Whether a pool is being published.
    boolean isIncomplete() {
        return isIncomplete;
    }

    /// What a pool has of what its devices share, by counter.
    Map<String, Quantity> counters(String pool) {
        return counters.getOrDefault(pool, Map.of());
    }

    List<Spot> wholePool(String pool) {
        return whole.getOrDefault(pool, List.of());
    }
}
