package io.berth.api.device;

import io.berth.api.amount.Quantity;
import io.berth.api.spec.Taint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A device as its driver describes it.
///
/// @param attributes by name; a name without a domain is of the driver's
/// @param consumes what it takes of the counters of its pool
/// @param nodes where it can be used, where its slice leaves that to it
/// @param bindsToNode whether an allocation is for the one node that it was made for
/// @param bindingConditions what must hold before a pod that uses it is bound
/// @param isShareable whether several claims may have a part of its capacity
public record Device(
        String name,
        Map<String, DeviceAttribute> attributes,
        Map<String, Capacity> capacity,
        List<CounterSet> consumes,
        Reach nodes,
        List<Taint> taints,
        boolean bindsToNode,
        List<String> bindingConditions,
        List<String> bindingFailureConditions,
        boolean isShareable) {
    public Device {
        attributes = Map.copyOf(attributes);
        capacity = Map.copyOf(capacity);
        consumes = List.copyOf(consumes);
        taints = List.copyOf(taints);
        bindingConditions = List.copyOf(bindingConditions);
        bindingFailureConditions = List.copyOf(bindingFailureConditions);
    }

    /// A device with attributes alone.
    public static Device of(String name, Map<String, DeviceAttribute> attributes) {
        return new Device(
                name,
                attributes,
                Map.of(),
                List.of(),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of(),
                List.of(),
                false);
    }

    /// The same device with other taints.
    public Device with(List<Taint> newTaints) {
        return new Device(
                name,
                attributes,
                capacity,
                consumes,
                nodes,
                newTaints,
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                isShareable);
    }

    /// The same device, for one claim alone.
    public Device asWhole() {
        return new Device(
                name,
                attributes,
                capacity,
                consumes,
                nodes,
                taints,
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                false);
    }

    /// @param policy which parts can be asked for; null for any
    public record Capacity(Quantity value, @Nullable Policy policy) {}

    /// @param byDefault what a request takes that names no amount
    /// @param validValues in ascending order
    public record Policy(
            @Nullable Quantity byDefault, List<Quantity> validValues, @Nullable Range range) {
        public Policy {
            validValues = List.copyOf(validValues);
        }
    }

    public record Range(@Nullable Quantity min, @Nullable Quantity max, @Nullable Quantity step) {}
}
