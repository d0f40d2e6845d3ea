package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which devices are taken, and how much of those that can be shared: kept by adding and removing
/// allocations, never recounted (contract rule DR-9).
///
/// Owned by the engine thread.
public final class Usage {
    /// The shares of one device.
    private static final class Shares {
        int count;
        final Map<String, Quantity> consumed = new HashMap<>();
    }

    private final boolean isCapacityConsumable;
    private final Map<DeviceId, Integer> dedicated = new HashMap<>();
    private final Map<DeviceId, Shares> shared = new HashMap<>();

    public Usage(boolean isCapacityConsumable) {
        this.isCapacityConsumable = isCapacityConsumable;
    }

    public void add(DeviceAllocation allocation) {
        for (var result : allocation.results()) {
            if (result.isAdmin()) {
                continue;
            }
            if (isCapacityConsumable && result.shareId() != null) {
                var shares = shared.computeIfAbsent(result.device(), _ -> new Shares());
                shares.count++;
                result.consumedCapacity()
                        .forEach((name, amount) ->
                                shares.consumed.merge(name, amount, Quantity::plus));
            } else {
                dedicated.merge(result.device(), 1, Integer::sum);
            }
        }
    }

    public void remove(DeviceAllocation allocation) {
        for (var result : allocation.results()) {
            if (result.isAdmin()) {
                continue;
            }
            if (isCapacityConsumable && result.shareId() != null) {
                removeShare(result);
            } else {
                dedicated.computeIfPresent(
                        result.device(), (_, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    private void removeShare(DeviceAllocation.Result result) {
        var shares = shared.get(result.device());
        if (shares == null) {
            return;
        }
        shares.count--;
        result.consumedCapacity()
                .forEach((name, amount) ->
                        shares.consumed.computeIfPresent(name, (_, old) -> old.minus(amount)));
        if (shares.count == 0) {
            shared.remove(result.device());
        }
    }

    /// Whether somebody has the whole device.
    boolean isTaken(DeviceId device) {
        return dedicated.containsKey(device);
    }

    /// Whether some of the device's capacity is taken.
    boolean isShared(DeviceId device) {
        var shares = shared.get(device);
        return shares != null && !shares.consumed.isEmpty();
    }

    boolean isUsed(DeviceId device) {
        return isTaken(device) || shared.containsKey(device);
    }

    /// How much of a capacity is taken; null where nothing.
    @Nullable Quantity consumed(DeviceId device, String capacity) {
        var shares = shared.get(device);
        return shares == null ? null : shares.consumed.get(capacity);
    }

    /// How many devices have an owner.
    public int size() {
        return dedicated.size() + shared.size();
    }
}
