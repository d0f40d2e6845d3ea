package io.berth.bench;

import static io.berth.testkit.Pods.pod;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Node;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.Pods;
import io.berth.testkit.Progress;
import io.berth.testkit.TestScheduler;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/// Prints how much heap a cluster takes in the engine, objects included, and what it still costs to
/// place pods in it: plain ones, and some that other pods have a say in. It ends where the heap
/// that it is given is not enough.
///
/// Usage: `MemoryFigures [nodes] [pods]`
public final class MemoryFigures {
    private static final int BATCH = 200;

    private static final List<UnaryOperator<Pods>> SORTS =
            List.of(
                    pod -> pod,
                    pod ->
                            pod.spread(
                                    1, Node.ZONE_LABEL, true, LabelSelector.matching("app", "new")),
                    pod -> pod.near(Node.ZONE_LABEL, "app", "new"),
                    pod -> pod.away(Node.HOSTNAME_LABEL, "app", "new"),
                    pod -> pod.prefersAway(10, Node.HOSTNAME_LABEL, "app", "new"),
                    pod ->
                            pod.spread(
                                    1,
                                    Node.ZONE_LABEL,
                                    false,
                                    LabelSelector.matching("app", "new")));

    private static final int PLACED = BATCH * SORTS.size();

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
        System.out.printf(Locale.ROOT, "%nA plain one of these took %.0f µs of CPU.%n", micros);
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

    /// @return how long the last half of the first batch, of plain pods, took
    private static double place(TestScheduler scheduler) {
        var threads = ManagementFactory.getThreadMXBean();
        long begin = 0;
        long end = 0;
        for (int i = 0; i < PLACED; i++) {
            if (i == BATCH / 2) {
                begin = threads.getCurrentThreadCpuTime();
            } else if (i == BATCH) {
                end = threads.getCurrentThreadCpuTime();
            }
            var made = pod("new-" + i).cpu("10m").label("app", "new");
            scheduler.create(SORTS.get(i / BATCH).apply(made).build());
            scheduler.settle();
            if (scheduler.nodeOf("default/new-" + i).isEmpty()) {
                throw new IllegalStateException("new-" + i + " was not placed");
            }
        }
        return (end - begin) / 1e3 / (BATCH - BATCH / 2);
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
