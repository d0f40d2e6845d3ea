package io.berth.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What one run of one scheduler on one workload showed.
///
/// @param podsPerSecond from the first binding to the last
/// @param algorithmMicros the mean time of an attempt
/// @param peakRssMib of the whole life of the process
/// @param firstSeconds to the first binding, from the start of the process, or from when the
///   measured pods began to come
/// @param lastSeconds from the same to the last binding
record Sample(
        double podsPerSecond,
        double schedulerCpuMillis,
        double apiServerCpuMillis,
        double algorithmMicros,
        double peakRssMib,
        double firstSeconds,
        double lastSeconds) {
    static final String THROUGHPUT = "pods/s";

    /// The figures by their headings.
    static Map<String, ToDoubleFunction<Sample>> figures() {
        var figures = new LinkedHashMap<String, ToDoubleFunction<Sample>>();
        figures.put(THROUGHPUT, Sample::podsPerSecond);
        figures.put("scheduler CPU ms/pod", Sample::schedulerCpuMillis);
        figures.put("API server CPU ms/pod", Sample::apiServerCpuMillis);
        figures.put("algorithm µs/pod", Sample::algorithmMicros);
        figures.put("peak RSS MiB", Sample::peakRssMib);
        figures.put("first binding s", Sample::firstSeconds);
        figures.put("last binding s", Sample::lastSeconds);
        return figures;
    }
}
