package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceClaim.Ask;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How much of a device's capacity a request takes (contract rules DR-44 and DR-45).
final class Capacities {
    private Capacities() {}

    /// Whether every amount that is asked for is one that the device has.
    static boolean areKnown(Ask ask, Device device) {
        return ask.capacity() == null
                || device.capacity().keySet().containsAll(ask.capacity().keySet());
    }

    /// What the request takes of each capacity.
    static Map<String, Quantity> taken(Ask ask, Device device) {
        var result = new HashMap<String, Quantity>();
        device.capacity()
                .forEach((name, capacity) -> result.put(name, taken(ask.capacity(name), capacity)));
        return result;
    }

    static Quantity taken(@Nullable Quantity asked, Device.Capacity capacity) {
        var policy = capacity.policy();
        if (asked == null) {
            return policy != null && policy.byDefault() != null
                    ? policy.byDefault()
                    : capacity.value();
        }
        if (policy == null) {
            return asked;
        }
        if (policy.range() != null && policy.range().min() != null) {
            return roundedUp(asked, policy.range().min(), policy.range().step());
        }
        for (var valid : policy.validValues()) {
            if (asked.compareTo(valid) <= 0) {
                return valid;
            }
        }
        return asked;
    }

    private static Quantity roundedUp(Quantity asked, Quantity min, @Nullable Quantity step) {
        if (asked.compareTo(min) < 0) {
            return min;
        }
        if (step == null || step.value() == 0) {
            return asked;
        }
        long above = asked.value() - min.value();
        long steps = above / step.value() + (above % step.value() == 0 ? 0 : 1);
        return Quantity.of(min.value() + steps * step.value());
    }

    /// Whether a device may not be asked for this amount.
    static boolean isForbidden(Quantity amount, Device.Capacity capacity) {
        var policy = capacity.policy();
        if (policy == null || amount.equals(policy.byDefault())) {
            return false;
        }
        if (policy.range() != null) {
            return isOutside(amount, policy.range());
        }
        return !policy.validValues().isEmpty() && !policy.validValues().contains(amount);
    }

    private static boolean isOutside(Quantity amount, Device.Range range) {
        if (range.max() != null && amount.compareTo(range.max()) > 0) {
            return true;
        }
        if (range.step() == null || range.step().value() == 0) {
            return false;
        }
        long min = range.min() == null ? 0 : range.min().value();
        return (amount.value() - min) % range.step().value() != 0;
    }
}
