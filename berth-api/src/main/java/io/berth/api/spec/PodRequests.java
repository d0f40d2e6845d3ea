package io.berth.api.spec;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.ResourceName;
import io.berth.api.amount.Resources;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a pod asks of a node, added up over its containers (contract rules E-9 and E-10).
///
/// App containers and sidecars run together, so they add up. Plain init containers run before them,
/// one at a time, beside the sidecars started so far; the peak of that counts. Sums are made on
/// exact quantities and rounded last.
///
/// Worked example: app 100m; init containers in order: sidecar 50m, plain 200m, sidecar 30m. Sum
/// 180m; peaks 50m, 250m, 80m; the pod asks for 250m.
///
/// @param nonZeroCpuMillis the cpu for scoring, where a container without a request counts as 100m
/// @param nonZeroMemoryBytes likewise with 200 MiB
public record PodRequests(Resources exact, long nonZeroCpuMillis, long nonZeroMemoryBytes) {
    public static final long DEFAULT_CPU_MILLIS = 100;
    public static final long DEFAULT_MEMORY_BYTES = 200L * 1024 * 1024;

    /// What a container without a request for a resource counts for in scores.
    private static final Map<String, Quantity> DEFAULTS =
            Map.of(
                    Resources.CPU, Quantity.ofMillis(DEFAULT_CPU_MILLIS),
                    Resources.MEMORY, Quantity.of(DEFAULT_MEMORY_BYTES));

    /// @param resize an in-place resize under way, or null
    public static PodRequests of(PodSpec spec, @Nullable ResizeStatus resize) {
        var total = total(spec, resize, true, Map.of());
        var exact = Resources.of(total);
        var defaults = hasPodLevel(spec) ? missing(total) : DEFAULTS;
        var filled = defaults.isEmpty() ? exact : Resources.of(total(spec, resize, true, defaults));
        return new PodRequests(exact, filled.cpuMillis(), filled.memoryBytes());
    }

    /// With requests for the pod as a whole, only what neither it nor a container asks for is
    /// assumed, for each container.
    private static Map<String, Quantity> missing(Map<String, Quantity> total) {
        var missing = new HashMap<>(DEFAULTS);
        missing.keySet().removeAll(total.keySet());
        return missing;
    }

    /// What NodeResourcesFit scores an incoming pod by: containers and defaults, with pod-level
    /// requests left out, as upstream does (rule NF-9).
    public static Resources forFitScore(PodSpec spec) {
        return Resources.of(total(spec, null, false, DEFAULTS));
    }

    private static boolean hasPodLevel(PodSpec spec) {
        var podLevel = spec.podLevelRequests();
        return podLevel != null && podLevel.keySet().stream().anyMatch(ResourceName::isPodLevel);
    }

    private static Map<String, Quantity> total(
            PodSpec spec,
            @Nullable ResizeStatus resize,
            boolean podLevel,
            Map<String, Quantity> defaults) {
        var sum = new HashMap<String, Quantity>();
        for (var container : spec.containers()) {
            add(sum, effective(container, resize, defaults));
        }
        var sidecars = new HashMap<String, Quantity>();
        var peak = new HashMap<String, Quantity>();
        for (var container : spec.initContainers()) {
            if (container.restartable()) {
                var request = effective(container, resize, defaults);
                add(sum, request);
                add(sidecars, request);
                raise(peak, sidecars);
            } else {
                var use = new HashMap<>(sidecars);
                add(use, filled(container.requests(), defaults));
                raise(peak, use);
            }
        }
        raise(sum, peak);
        if (podLevel && hasPodLevel(spec)) {
            replaceByPodLevel(sum, spec, resize);
        }
        add(sum, spec.overhead());
        return sum;
    }

    private static void replaceByPodLevel(
            Map<String, Quantity> sum, PodSpec spec, @Nullable ResizeStatus resize) {
        var stated =
                spec.podLevelRequests() == null
                        ? Map.<String, Quantity>of()
                        : spec.podLevelRequests();
        var counted = resized(stated, resize, resize == null ? null : resize.podLevel());
        // What the node gave beyond what the spec names does not count.
        for (var name : stated.keySet()) {
            if (ResourceName.isPodLevel(name)) {
                sum.put(name, counted.getOrDefault(name, Quantity.ZERO));
            }
        }
    }

    private static Map<String, Quantity> effective(
            Container container, @Nullable ResizeStatus resize, Map<String, Quantity> defaults) {
        var given = resize == null ? null : resize.containers().get(container.name());
        return filled(resized(container.requests(), resize, given), defaults);
    }

    private static Map<String, Quantity> resized(
            Map<String, Quantity> stated,
            @Nullable ResizeStatus resize,
            ResizeStatus.@Nullable Given given) {
        return resize == null || given == null
                ? stated
                : largest(stated, given, resize.infeasible());
    }

    private static Map<String, Quantity> largest(
            Map<String, Quantity> spec, ResizeStatus.Given given, boolean infeasible) {
        var result = new HashMap<>(given.requests());
        raise(result, given.allocated());
        if (!infeasible) {
            raise(result, spec);
        }
        return result;
    }

    private static Map<String, Quantity> filled(
            Map<String, Quantity> requests, Map<String, Quantity> defaults) {
        if (requests.keySet().containsAll(defaults.keySet())) {
            return requests;
        }
        var result = new HashMap<>(defaults);
        result.putAll(requests);
        return result;
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> maximum, Map<String, Quantity> other) {
        other.forEach((name, amount) -> maximum.merge(name, amount, Quantity::max));
    }
}
