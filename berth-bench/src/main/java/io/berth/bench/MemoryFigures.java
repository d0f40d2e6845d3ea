package io.berth.bench;

import static io.berth.testkit.Pods.pod;

import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.Progress;
import io.berth.testkit.TestScheduler;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.function.IntConsumer;

/// Prints how much heap a cluster takes in the engine, objects included, and what it still costs to
/// place a pod in it. It is run with a heap of four gigabytes, so that it also shows whether that
/// is enough.
///
/// Usage: `MemoryFigures [nodes] [pods]`
public final class MemoryFigures {
    private static final int PLACED = 200;

    private MemoryFigures() {}

    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int pods = args.length > 1 ? Integer.parseInt(args[1]) : 5 * nodes;
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        var progress = Progress.onStandardError("objects", (long) nodes + pods + PLACED);
        var cluster = new LargeCluster(nodes);
        long empty = usedBytes();
        each(nodes, i -> scheduler.add(LargeCluster.node(i)), scheduler, progress);
        long withNodes = usedBytes();
        // Straight to the engine: the stand-in for the API server would keep copies of its own.
        each(pods, i -> scheduler.engine().seen(cluster.bound(i)), scheduler, progress);
        long withPods = usedBytes();

        double micros = place(scheduler);
        progress.clear();
        System.out.printf(
                Locale.ROOT,
                "%d nodes, %d bound pods of %d templates; heap at most %d MiB%n%n",
                nodes,
                pods,
                LargeCluster.TEMPLATES,
                Runtime.getRuntime().maxMemory() >> 20);
        System.out.println("| | MiB | bytes each |");
        System.out.println("|---|---|---|");
        print("nodes", withNodes - empty, nodes);
        print("pods", withPods - withNodes, pods);
        print("after " + PLACED + " more were placed", usedBytes() - empty, nodes + pods + PLACED);
        System.out.printf(Locale.ROOT, "%nThe last of these took %.0f µs of CPU each.%n", micros);
    }

    private static void each(
            int count, IntConsumer make, TestScheduler scheduler, Progress progress) {
        for (int i = 0; i < count; i++) {
            make.accept(i);
            scheduler.settle();
            progress.advance(1);
        }
    }

    private static void print(String what, long bytes, int count) {
        System.out.printf(Locale.ROOT, "| %s | %d | %d |%n", what, bytes >> 20, bytes / count);
    }

    private static double place(TestScheduler scheduler) {
        var threads = ManagementFactory.getThreadMXBean();
        long cpu = 0;
        for (int i = 0; i < PLACED; i++) {
            if (i == PLACED / 2) {
                cpu = threads.getCurrentThreadCpuTime();
            }
            scheduler.create(pod("new-" + i).cpu("10m").label("app", "app-1").build());
            scheduler.settle();
            if (scheduler.nodeOf("default/new-" + i).isEmpty()) {
                throw new IllegalStateException("new-" + i + " was not placed");
            }
        }
        return (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / (PLACED - PLACED / 2);
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
