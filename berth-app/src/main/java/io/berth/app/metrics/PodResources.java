package io.berth.app.metrics;

import static io.berth.serving.metrics.Stability.STABLE;

import io.berth.api.amount.Resources;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.serving.metrics.Computed;
import io.berth.serving.metrics.Definition;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.Registry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The page `/metrics/resources`: what every pod asks for and may use (P-280, P-281).
///
/// Worked out anew for each scrape, from the pods of that moment, and written as it is worked out.
/// Pods of one template share the work.
final class PodResources {
    private static final String[] LABELS = {
        "namespace", "node", "pod", "priority", "resource", "scheduler", "unit"
    };
    private static final Definition LIMIT =
            Definition.gauge(
                    "kube_pod_resource_limit",
                    STABLE,
                    "What a pod may use, by resource, as the scheduler counts it.",
                    LABELS);
    private static final Definition REQUEST =
            Definition.gauge(
                    "kube_pod_resource_request",
                    STABLE,
                    "What a pod asks for, by resource, as the scheduler counts it.",
                    LABELS);

    private PodResources() {}

    static void write(Collection<Pod> pods, MetricsSettings settings, OutputStream out)
            throws IOException {
        var registry = Registry.plain(settings);
        var limits = new IdentityHashMap<PodSpec, Resources>();
        registry.computed(
                LIMIT,
                sink ->
                        write(
                                sink,
                                pods,
                                pod -> limits.computeIfAbsent(pod.spec(), PodLimits::of)));
        registry.computed(REQUEST, sink -> write(sink, pods, pod -> pod.requests().exact()));
        registry.writeTo(out);
    }

    private static void write(
            Computed.Sink sink, Collection<Pod> pods, Function<Pod, Resources> amounts) {
        for (var pod : pods) {
            if (pod.isAssigned() && pod.isTerminal()) {
                continue;
            }
            inUnits(amounts.apply(pod))
                    .forEach((resource, amount) ->
                            sink.value(
                                    amount,
                                    pod.namespace(),
                                    pod.nodeName(),
                                    pod.name(),
                                    Integer.toString(pod.spec().priority()),
                                    resource,
                                    pod.spec().schedulerName(),
                                    unit(resource)));
        }
    }

    /// By name, without what is zero.
    private static Map<String, Double> inUnits(Resources resources) {
        var amounts = new TreeMap<String, Double>();
        amounts.put(Resources.CPU, resources.cpuMillis() / 1e3);
        amounts.put(Resources.MEMORY, (double) resources.memoryBytes());
        amounts.put(Resources.EPHEMERAL_STORAGE, (double) resources.ephemeralBytes());
        resources.scalars().forEach((name, amount) -> amounts.put(name, (double) amount));
        amounts.values().removeIf(amount -> amount == 0);
        return amounts;
    }

    static String unit(String resource) {
        if (resource.equals(Resources.CPU)) {
            return "cores";
        }
        if (resource.equals(Resources.MEMORY)
                || resource.equals(Resources.EPHEMERAL_STORAGE)
                || resource.equals("storage")
                || resource.startsWith("hugepages-")) {
            return "bytes";
        }
        return resource.startsWith("attachable-volumes-") ? "integer" : "";
    }
}
