package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes a pool of the slices that a node sees of it, and finds what is wrong with it (contract
/// rules DR-26 and DR-27).
final class PoolBuilder {
    private PoolBuilder() {}

    /// @param relevant those of the newest generation that the node sees, by name; not empty
    /// @param all of the pool, whatever node and generation, by name
    /// @return null where a newer generation is on its way
    static @Nullable Pool build(
            PoolId id, List<SliceView> relevant, List<SliceView> all, boolean isPartitionable) {
        long generation = relevant.getFirst().generation();
        long wanted = relevant.getFirst().slice().pool().sliceCount();
        if (relevant.size() == wanted) {
            return valid(id, relevant, relevant, isPartitionable);
        }
        var present = new ArrayList<SliceView>();
        for (var view : all) {
            if (view.generation() > generation) {
                return null;
            }
            if (view.generation() == generation) {
                present.add(view);
            }
        }
        return present.size() == wanted
                ? valid(id, relevant, present, isPartitionable)
                : Pool.incomplete(id);
    }

    private static Pool valid(
            PoolId id, List<SliceView> relevant, List<SliceView> all, boolean isPartitionable) {
        if (!isPartitionable) {
            String duplicate = duplicateDevice(relevant);
            return duplicate != null
                    ? Pool.invalid(id, duplicate)
                    : new Pool(id, false, null, relevant, List.of(), Map.of());
        }
        var withDevices = relevant.stream().filter(view -> !view.hasCounters()).toList();
        String duplicate = duplicateDevice(withDevices);
        if (duplicate != null) {
            return Pool.invalid(id, duplicate);
        }
        var counters = new HashMap<String, Map<String, Quantity>>();
        for (var view : relevant) {
            for (var set : view.slice().sharedCounters()) {
                if (counters.put(set.name(), set.counters()) != null) {
                    return Pool.invalid(id, "duplicate counter set name " + set.name());
                }
            }
        }
        var others = all.stream().filter(view -> !relevant.contains(view)).toList();
        String unknown = unknownCounter(relevant, counters);
        unknown = unknown == null ? unknownCounter(others, counters) : unknown;
        return unknown != null
                ? Pool.invalid(id, unknown)
                : new Pool(id, false, null, withDevices, others, counters);
    }

    private static @Nullable String duplicateDevice(List<SliceView> views) {
        var names = new HashSet<String>();
        for (var view : views) {
            for (var device : view.slice().devices()) {
                if (!names.add(device.name())) {
                    return "duplicate device name " + device.name();
                }
            }
        }
        return null;
    }

    private static @Nullable String unknownCounter(
            List<SliceView> views, Map<String, Map<String, Quantity>> counters) {
        for (var view : views) {
            for (var device : view.slice().devices()) {
                for (var taken : device.consumes()) {
                    var set = counters.get(taken.name());
                    if (set == null) {
                        return "counter set " + taken.name() + " not found";
                    }
                    for (String counter : taken.counters().keySet()) {
                        if (!set.containsKey(counter)) {
                            return "counter "
                                    + counter
                                    + " not found in counter set "
                                    + taken.name();
                        }
                    }
                }
            }
        }
        return null;
    }
}
