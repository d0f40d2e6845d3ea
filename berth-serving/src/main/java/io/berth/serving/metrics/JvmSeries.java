package io.berth.serving.metrics;

import static io.berth.serving.metrics.Stability.UNSTATED;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.ToLongFunction;

/// `jvm_*`: the machine's memory, collections, threads and classes, under the names that dashboards
/// for Java programs use (P-293).
public final class JvmSeries {
    private JvmSeries() {}

    public static void register(Registry registry) {
        memory(registry, "used", "Memory in use, by area.", MemoryUsage::getUsed);
        memory(registry, "committed", "Memory reserved, by area.", MemoryUsage::getCommitted);
        memory(registry, "max", "How much memory may be used, by area.", MemoryUsage::getMax);
        pool(registry, "used", "Memory in use, by pool.", MemoryUsage::getUsed);
        pool(registry, "committed", "Memory reserved, by pool.", MemoryUsage::getCommitted);
        pool(registry, "max", "How much memory may be used, by pool.", MemoryUsage::getMax);
        buffers(registry);
        collections(registry);
        threads(registry);
        classes(registry);
        info(registry);
    }

    private static void memory(
            Registry registry, String what, String help, ToLongFunction<MemoryUsage> value) {
        var bean = ManagementFactory.getMemoryMXBean();
        registry.computed(
                Definition.gauge("jvm_memory_" + what + "_bytes", UNSTATED, help, "area"),
                sink -> {
                    sink.value((double) value.applyAsLong(bean.getHeapMemoryUsage()), "heap");
                    sink.value((double) value.applyAsLong(bean.getNonHeapMemoryUsage()), "nonheap");
                });
    }

    private static void pool(
            Registry registry, String what, String help, ToLongFunction<MemoryUsage> value) {
        var pools = ManagementFactory.getMemoryPoolMXBeans();
        registry.computed(
                Definition.gauge("jvm_memory_pool_" + what + "_bytes", UNSTATED, help, "pool"),
                sink -> {
                    for (var pool : pools) {
                        var usage = pool.getUsage();
                        if (usage != null) {
                            sink.value((double) value.applyAsLong(usage), pool.getName());
                        }
                    }
                });
    }

    private static void buffers(Registry registry) {
        var pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
        registry.computed(
                Definition.gauge(
                        "jvm_buffer_pool_used_bytes", UNSTATED, "Memory of buffers.", "pool"),
                sink ->
                        pools.forEach(
                                pool -> sink.value((double) pool.getMemoryUsed(), pool.getName())));
    }

    private static void collections(Registry registry) {
        var collectors = ManagementFactory.getGarbageCollectorMXBeans();
        registry.computed(
                new Definition(
                        "jvm_gc_collection_seconds",
                        Definition.Type.SUMMARY,
                        UNSTATED,
                        "Garbage collections.",
                        List.of("gc"),
                        Buckets.NONE,
                        1),
                sink ->
                        collectors.forEach(one -> {
                            sink.sample("_sum", one.getCollectionTime() / 1e3, one.getName());
                            sink.sample("_count", (double) one.getCollectionCount(), one.getName());
                        }));
    }

    private static void threads(Registry registry) {
        var bean = ManagementFactory.getThreadMXBean();
        registry.computed(
                Definition.gauge("jvm_threads_current", UNSTATED, "Platform threads."),
                sink -> sink.value(bean.getThreadCount()));
        registry.computed(
                Definition.gauge("jvm_threads_daemon", UNSTATED, "Platform threads, daemons only."),
                sink -> sink.value(bean.getDaemonThreadCount()));
        registry.computed(
                Definition.gauge(
                        "jvm_threads_peak", UNSTATED, "Most platform threads at the same time."),
                sink -> sink.value(bean.getPeakThreadCount()));
        registry.computed(
                Definition.counter(
                        "jvm_threads_started_total", UNSTATED, "Platform threads ever started."),
                sink -> sink.value((double) bean.getTotalStartedThreadCount()));
    }

    private static void classes(Registry registry) {
        var bean = ManagementFactory.getClassLoadingMXBean();
        registry.computed(
                Definition.gauge("jvm_classes_currently_loaded", UNSTATED, "Loaded classes."),
                sink -> sink.value(bean.getLoadedClassCount()));
        registry.computed(
                Definition.counter("jvm_classes_loaded_total", UNSTATED, "Classes ever loaded."),
                sink -> sink.value((double) bean.getTotalLoadedClassCount()));
    }

    private static void info(Registry registry) {
        registry.computed(
                Definition.gauge(
                        "jvm_runtime_info",
                        UNSTATED,
                        "Which Java this is.",
                        "runtime",
                        "vendor",
                        "version"),
                sink ->
                        sink.value(
                                1,
                                System.getProperty("java.runtime.name", "unknown"),
                                System.getProperty("java.vm.vendor", "unknown"),
                                System.getProperty("java.runtime.version", "unknown")));
    }
}
