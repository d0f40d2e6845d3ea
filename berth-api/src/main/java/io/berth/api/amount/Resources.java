package io.berth.api.amount;

import java.util.Map;
import java.util.TreeMap;

/// Amounts of the resources that the scheduler counts, in the units it counts them in.
///
/// @param scalars extended resources, huge pages and the like, by name, in name order
public record Resources(
        long cpuMillis,
        long memoryBytes,
        long ephemeralBytes,
        long pods,
        Map<String, Long> scalars) {
    public static final Resources NONE = new Resources(0, 0, 0, 0, Map.of());
    public static final String CPU = "cpu";
    public static final String MEMORY = "memory";
    public static final String EPHEMERAL_STORAGE = "ephemeral-storage";
    public static final String PODS = "pods";

    public Resources {
        scalars =
                scalars.isEmpty()
                        ? Map.of()
                        : java.util.Collections.unmodifiableMap(new TreeMap<>(scalars));
    }

    /// Converts a list as it stands in the API. Names that are neither known nor scalar are dropped
    /// (contract rule E-8).
    public static Resources of(Map<String, Quantity> list) {
        long cpu = 0;
        long memory = 0;
        long ephemeral = 0;
        long pods = 0;
        var scalars = new TreeMap<String, Long>();
        for (var entry : list.entrySet()) {
            var quantity = entry.getValue();
            switch (entry.getKey()) {
                case CPU -> cpu = quantity.milliValue();
                case MEMORY -> memory = quantity.value();
                case EPHEMERAL_STORAGE -> ephemeral = quantity.value();
                case PODS -> pods = quantity.value();
                default -> {
                    if (ResourceName.isScalar(entry.getKey())) {
                        scalars.put(entry.getKey(), quantity.value());
                    }
                }
            }
        }
        return new Resources(cpu, memory, ephemeral, pods, scalars);
    }

    public long scalar(String name) {
        return scalars.getOrDefault(name, 0L);
    }

    /// The amount of any resource by its name, 0 where absent.
    public long amount(String name) {
        return switch (name) {
            case CPU -> cpuMillis;
            case MEMORY -> memoryBytes;
            case EPHEMERAL_STORAGE -> ephemeralBytes;
            case PODS -> pods;
            default -> scalar(name);
        };
    }
}
