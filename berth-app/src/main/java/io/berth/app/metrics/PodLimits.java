package io.berth.app.metrics;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.spec.PodSpec;
import java.util.HashMap;
import java.util.Map;

/// What a pod may use of a node, added up over its containers as requests are: app containers and
/// sidecars together, or the peak while the plain init containers run. The overhead of a runtime
/// counts where there is a limit at all.
final class PodLimits {
    private PodLimits() {}

    static Resources of(PodSpec spec) {
        var sum = new HashMap<String, Quantity>();
        spec.containers().forEach(container -> add(sum, container.limits()));
        var sidecars = new HashMap<String, Quantity>();
        var peak = new HashMap<String, Quantity>();
        for (var container : spec.initContainers()) {
            if (container.restartable()) {
                add(sum, container.limits());
                add(sidecars, container.limits());
                raise(peak, sidecars);
            } else {
                var use = new HashMap<>(sidecars);
                add(use, container.limits());
                raise(peak, use);
            }
        }
        raise(sum, peak);
        spec.overhead()
                .forEach((name, amount) ->
                        sum.computeIfPresent(
                                name, (_, limit) -> limit.isZero() ? limit : limit.plus(amount)));
        return Resources.of(sum);
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> maximum, Map<String, Quantity> other) {
        other.forEach((name, amount) -> maximum.merge(name, amount, Quantity::max));
    }
}
