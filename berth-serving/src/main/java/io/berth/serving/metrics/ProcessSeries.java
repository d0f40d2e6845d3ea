package io.berth.serving.metrics;

import static io.berth.serving.metrics.Stability.ALPHA;
import static io.berth.serving.metrics.Stability.UNSTATED;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/// `process_*`: what the operating system tells about this process (P-293). What it does not tell
/// is left out.
public final class ProcessSeries {
    private static final double KIB = 1024;

    private ProcessSeries() {}

    public static void register(Registry registry) {
        var os = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        computed(
                registry,
                Definition.counter(
                        "process_cpu_seconds_total", UNSTATED, "CPU time of this process."),
                () -> OptionalDouble.of(os.getProcessCpuTime() / 1e9));
        gauge(
                registry,
                "process_open_fds",
                "Open file descriptors.",
                () ->
                        os instanceof UnixOperatingSystemMXBean unix
                                ? OptionalDouble.of((double) unix.getOpenFileDescriptorCount())
                                : OptionalDouble.empty());
        gauge(
                registry,
                "process_max_fds",
                "How many file descriptors may be open.",
                () ->
                        os instanceof UnixOperatingSystemMXBean unix
                                ? OptionalDouble.of((double) unix.getMaxFileDescriptorCount())
                                : OptionalDouble.empty());
        gauge(
                registry,
                "process_resident_memory_bytes",
                "Memory in use.",
                () -> ProcFile.number(ProcFile.read("status"), "VmRSS:", KIB));
        gauge(
                registry,
                "process_virtual_memory_bytes",
                "Address space in use.",
                () -> ProcFile.number(ProcFile.read("status"), "VmSize:", KIB));
        gauge(
                registry,
                "process_virtual_memory_max_bytes",
                "How much address space may be used; +Inf where there is no limit.",
                ProcessSeries::mostVirtualMemory);
        computed(
                registry,
                Definition.counter(
                        "process_network_receive_bytes_total",
                        UNSTATED,
                        "Bytes received in this process's network namespace."),
                () -> ProcFile.networkBytes(ProcFile.read("net/dev"), 0));
        computed(
                registry,
                Definition.counter(
                        "process_network_transmit_bytes_total",
                        UNSTATED,
                        "Bytes sent in this process's network namespace."),
                () -> ProcFile.networkBytes(ProcFile.read("net/dev"), 8));
        startTime(registry, UNSTATED);
    }

    /// Stands on two pages.
    public static void registerStartTime(Registry slis) {
        startTime(slis, ALPHA);
    }

    private static void startTime(Registry registry, Stability stability) {
        double seconds = ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3;
        registry.computed(
                Definition.gauge(
                        "process_start_time_seconds",
                        stability,
                        "When this process started, in seconds since 1970."),
                sink -> sink.value(seconds));
    }

    private static OptionalDouble mostVirtualMemory() {
        var limits = ProcFile.read("limits");
        if (limits.contains("Max address space         unlimited")) {
            return OptionalDouble.of(Double.POSITIVE_INFINITY);
        }
        return ProcFile.number(limits, "Max address space", 1);
    }

    private static void gauge(
            Registry registry, String name, String help, Supplier<OptionalDouble> value) {
        computed(registry, Definition.gauge(name, UNSTATED, help), value);
    }

    private static void computed(
            Registry registry, Definition definition, Supplier<OptionalDouble> value) {
        registry.computed(definition, sink -> value.get().ifPresent(sink::value));
    }
}
