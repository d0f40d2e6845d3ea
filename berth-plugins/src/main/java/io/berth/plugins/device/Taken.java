package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.CounterSet;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one search has taken so far, on top of what is taken already: devices, shares of devices,
/// counters of pools. Whatever is taken can be given back.
final class Taken {
    private final Usage usage;
    private final Map<DeviceId, List<Integer>> devices = new HashMap<>();

    /// Of shared devices; present, if empty, from the first share to the last.
    private final Map<DeviceId, List<Map<String, Quantity>>> shares = new HashMap<>();

    private final Map<PoolId, Map<String, Map<String, Quantity>>> available = new HashMap<>();
    private final Map<PoolId, Map<String, Map<String, Quantity>>> counters = new HashMap<>();

    Taken(Usage usage) {
        this.usage = usage;
    }

    /// Whether somebody has the whole device.
    boolean isInUse(DeviceId device) {
        return usage.isTaken(device) || devices.containsKey(device);
    }

    boolean isTakenFor(DeviceId device, int claim) {
        return devices.getOrDefault(device, List.of()).contains(claim);
    }

    boolean isShared(DeviceId device) {
        return usage.isShared(device) || shares.containsKey(device);
    }

    void take(DeviceId device, int claim) {
        devices.computeIfAbsent(device, _ -> new ArrayList<>(1)).add(claim);
    }

    void giveBack(DeviceId device, Integer claim) {
        var claims = devices.get(device);
        if (claims != null) {
            claims.remove(/* element */ claim);
            if (claims.isEmpty()) {
                devices.remove(device);
            }
        }
    }

    void takeShare(DeviceId device, Map<String, Quantity> amounts) {
        shares.computeIfAbsent(device, _ -> new ArrayList<>(1)).add(amounts);
    }

    void giveBackShare(DeviceId device) {
        var taken = shares.get(device);
        if (taken != null) {
            taken.removeLast();
            if (taken.isEmpty()) {
                shares.remove(device);
            }
        }
    }

    /// Whether a device has room for a request (DR-46).
    boolean hasRoom(Ask ask, Candidate candidate) {
        var device = candidate.device();
        if (!Capacities.areKnown(ask, device)) {
            return false;
        }
        for (var entry : device.capacity().entrySet()) {
            String name = entry.getKey();
            var capacity = entry.getValue();
            var total = Capacities.taken(ask.capacity(name), capacity);
            if (Capacities.isForbidden(total, capacity)) {
                return false;
            }
            var before = usage.consumed(candidate.id(), name);
            total = before == null ? total : total.plus(before);
            for (var share : shares.getOrDefault(candidate.id(), List.of())) {
                var more = share.get(name);
                total = more == null ? total : total.plus(more);
            }
            if (total.compareTo(capacity.value()) > 0) {
                return false;
            }
        }
        return true;
    }

    /// Takes what a device needs of its pool's counters; false, and nothing taken, where that is
    /// too much (DR-48).
    boolean takeCounters(Candidate candidate) {
        var pool = candidate.pool();
        var free = available.computeIfAbsent(pool.id(), _ -> available(pool));
        var used = counters.computeIfAbsent(pool.id(), _ -> new HashMap<>());
        add(used, candidate.device().consumes(), 1);
        for (var set : free.entrySet()) {
            var usedOfSet = used.get(set.getKey());
            for (var counter : set.getValue().entrySet()) {
                var amount = usedOfSet == null ? null : usedOfSet.get(counter.getKey());
                if (counter.getValue().compareTo(amount == null ? Quantity.ZERO : amount) < 0) {
                    add(used, candidate.device().consumes(), -1);
                    return false;
                }
            }
        }
        return true;
    }

    void giveBackCounters(Candidate candidate) {
        var used = counters.get(candidate.pool().id());
        if (used != null) {
            add(used, candidate.device().consumes(), -1);
        }
    }

    private static void add(
            Map<String, Map<String, Quantity>> to, List<CounterSet> amounts, int sign) {
        for (var set : amounts) {
            var sums = to.computeIfAbsent(set.name(), _ -> new HashMap<>());
            set.counters()
                    .forEach((name, amount) -> {
                        var old = sums.getOrDefault(name, Quantity.ZERO);
                        sums.put(name, sign > 0 ? old.plus(amount) : old.minus(amount));
                    });
        }
    }

    /// What the devices that have owners leave of a pool's counters; may be below zero.
    private Map<String, Map<String, Quantity>> available(Pool pool) {
        var result = new HashMap<String, Map<String, Quantity>>();
        pool.counters().forEach((set, amounts) -> result.put(set, new HashMap<>(amounts)));
        subtract(pool.slices(), result);
        subtract(pool.others(), result);
        return result;
    }

    private void subtract(List<SliceView> views, Map<String, Map<String, Quantity>> from) {
        for (var view : views) {
            var devices = view.slice().devices();
            for (int i = 0; i < devices.size(); i++) {
                if (devices.get(i).consumes().isEmpty() || !usage.isUsed(view.id(i))) {
                    continue;
                }
                for (var set : devices.get(i).consumes()) {
                    subtract(set, from.get(set.name()));
                }
            }
        }
    }

    private static void subtract(CounterSet taken, @Nullable Map<String, Quantity> from) {
        if (from != null) {
            taken.counters()
                    .forEach((name, amount) ->
                            from.computeIfPresent(name, (_, left) -> left.minus(amount)));
        }
    }
}
