package io.berth.plugins.device;

import io.berth.api.device.Device;
import io.berth.api.model.CustomObject;
import io.berth.api.model.Kind;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.Taint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An operator's word that some devices have a taint, whatever their driver says (contract rule
/// DR-51).
///
/// @param driver null for any; likewise the others
record TaintRule(
        @Nullable String driver, @Nullable String pool, @Nullable String device, Taint taint) {
    /// Not among the kinds with a record of their own: it is beta, and off unless asked for.
    static final Kind KIND = Kind.of("resource.k8s.io", "v1beta2", "devicetaintrules");

    static TaintRule of(CustomObject object) {
        return new TaintRule(
                text(object, "deviceSelector", "driver"),
                text(object, "deviceSelector", "pool"),
                text(object, "deviceSelector", "device"),
                new Taint(
                        textOrEmpty(object, "key"),
                        textOrEmpty(object, "value"),
                        textOrEmpty(object, "effect")));
    }

    private static @Nullable String text(CustomObject object, String part, String field) {
        return object.at("spec", part, field) instanceof String text ? text : null;
    }

    private static String textOrEmpty(CustomObject object, String field) {
        String text = text(object, "taint", field);
        return text == null ? "" : text;
    }

    boolean concerns(ResourceSlice slice) {
        return (driver == null || driver.equals(slice.driver()))
                && (pool == null || pool.equals(slice.pool().name()));
    }

    /// The slice with the taints that rules add to those of its driver.
    static ResourceSlice apply(Collection<TaintRule> rules, ResourceSlice slice) {
        var concerning = rules.stream().filter(rule -> rule.concerns(slice)).toList();
        return concerning.isEmpty()
                ? slice
                : new ResourceSlice(
                        slice.name(),
                        slice.driver(),
                        slice.pool(),
                        slice.nodes(),
                        slice.isPerDevice(),
                        slice.devices().stream().map(each -> apply(concerning, each)).toList(),
                        slice.sharedCounters());
    }

    private static Device apply(List<TaintRule> rules, Device device) {
        var taints = new ArrayList<>(device.taints());
        for (var rule : rules) {
            if (rule.device == null || rule.device.equals(device.name())) {
                taints.add(rule.taint);
            }
        }
        return taints.size() == device.taints().size() ? device : device.with(taints);
    }

    /// All rules, and the slices as their drivers wrote them.
    static final class Rules {
        private final Map<String, TaintRule> byName = new TreeMap<>();
        private final Map<String, ResourceSlice> slices = new HashMap<>();

        /// A slice came, changed or went; this is how it counts.
        @Nullable ResourceSlice changed(
                @Nullable ResourceSlice before, @Nullable ResourceSlice after) {
            if (before != null) {
                slices.remove(before.name());
            }
            if (after == null) {
                return null;
            }
            slices.put(after.name(), after);
            return apply(byName.values(), after);
        }

        /// A rule came, changed or went.
        ///
        /// @return the slices that it concerned or concerns, as they count now
        List<ResourceSlice> changed(String name, @Nullable TaintRule rule) {
            var before = rule == null ? byName.remove(name) : byName.put(name, rule);
            return slices.values().stream()
                    .filter(slice ->
                            before != null && before.concerns(slice)
                                    || rule != null && rule.concerns(slice))
                    .map(slice -> apply(byName.values(), slice))
                    .toList();
        }
    }
}
