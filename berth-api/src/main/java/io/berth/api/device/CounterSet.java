package io.berth.api.device;

import io.berth.api.amount.Quantity;
import java.util.Map;

/// Amounts by name that belong together: what the devices of a pool share, or what one device takes
/// of that.
public record CounterSet(String name, Map<String, Quantity> counters) {
    public CounterSet {
        counters = Map.copyOf(counters);
    }
}
