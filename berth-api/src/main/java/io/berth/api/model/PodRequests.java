package io.berth.api.model;

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

    private static final Quantity DEFAULT_CPU = Quantity.ofMillis(DEFAULT_CPU_MILLIS);
    private static final Quantity DEFAULT_MEMORY = Quantity.of(DEFAULT_MEMORY_BYTES);

    /// @param resize an in-place resize under way, or null
    static PodRequests of(PodSpec spec, @Nullable ResizeStatus resize) {
        var total = total(spec, resize, true, false);
        var exact = Resources.of(total);
        if (hasPodLevel(spec)) {
            return new PodRequests(
                    exact,
                    total.containsKey(Resources.CPU) ? exact.cpuMillis() : DEFAULT_CPU_MILLIS,
                    total.containsKey(Resources.MEMORY)
                            ? exact.memoryBytes()
                            : DEFAULT_MEMORY_BYTES);
        }
        var filled = Resources.of(total(spec, resize, true, true));
        return new PodRequests(exact, filled.cpuMillis(), filled.memoryBytes());
    }

    /// What NodeResourcesFit scores an incoming pod by: containers and defaults, with pod-level
    /// requests left out, as upstream does (rule NF-9).
    public static Resources forFitScore(PodSpec spec) {
        return Resources.of(total(spec, null, false, true));
    }

    private static boolean hasPodLevel(PodSpec spec) {
        var podLevel = spec.podLevelRequests();
        return podLevel != null && podLevel.keySet().stream().anyMatch(ResourceName::isPodLevel);
    }

    private static Map<String, Quantity> total(
            PodSpec spec, @Nullable ResizeStatus resize, boolean podLevel, boolean fillDefaults) {
        var sum = new HashMap<String, Quantity>();
        for (var container : spec.containers()) {
            add(sum, effective(container, resize, fillDefaults));
        }
        var sidecars = new HashMap<String, Quantity>();
        var peak = new HashMap<String, Quantity>();
        for (var container : spec.initContainers()) {
            if (container.restartable()) {
                var request = effective(container, resize, fillDefaults);
                add(sum, request);
                add(sidecars, request);
                raise(peak, sidecars);
            } else {
                var use = new HashMap<>(sidecars);
                add(use, filled(container.requests(), fillDefaults));
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
        counted.forEach((name, amount) -> {
            if (ResourceName.isPodLevel(name)) {
                sum.put(name, amount);
            }
        });
    }

    private static Map<String, Quantity> effective(
            Container container, @Nullable ResizeStatus resize, boolean fillDefaults) {
        var given = resize == null ? null : resize.containers().get(container.name());
        return filled(resized(container.requests(), resize, given), fillDefaults);
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

    private static Map<String, Quantity> filled(Map<String, Quantity> requests, boolean fill) {
        if (!fill
                || requests.containsKey(Resources.CPU) && requests.containsKey(Resources.MEMORY)) {
            return requests;
        }
        var result = new HashMap<>(requests);
        result.putIfAbsent(Resources.CPU, DEFAULT_CPU);
        result.putIfAbsent(Resources.MEMORY, DEFAULT_MEMORY);
        return result;
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> maximum, Map<String, Quantity> other) {
        other.forEach((name, amount) -> maximum.merge(name, amount, Quantity::max));
    }
}
