package io.berth.bench;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Pod;
import io.berth.api.model.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.TestScheduler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/// Prints how much heap a cluster takes in the engine, objects included, and what it still costs to
/// place a pod in it. It is run with a heap of four gigabytes, so that it also shows whether that
/// is enough.
///
/// Usage: `MemoryFigures [nodes] [pods]`
public final class MemoryFigures {
    private static final int TEMPLATES = 2_000;
    private static final int PLACED = 200;

    private MemoryFigures() {}

    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int pods = args.length > 1 ? Integer.parseInt(args[1]) : 5 * nodes;
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        long empty = usedBytes();
        each(nodes, i -> scheduler.add(made(i)), scheduler);
        long withNodes = usedBytes();
        // Straight to the engine: the stand-in for the API server would keep copies of its own.
        each(pods, i -> scheduler.engine().seen(bound(i, nodes)), scheduler);
        long withPods = usedBytes();

        double micros = place(scheduler);
        System.out.printf(
                Locale.ROOT,
                "%d nodes, %d bound pods of %d templates; heap at most %d MiB%n%n",
                nodes,
                pods,
                TEMPLATES,
                Runtime.getRuntime().maxMemory() >> 20);
        System.out.println("| | MiB | bytes each |");
        System.out.println("|---|---|---|");
        print("nodes", withNodes - empty, nodes);
        print("pods", withPods - withNodes, pods);
        print("after " + PLACED + " more were placed", usedBytes() - empty, nodes + pods + PLACED);
        System.out.printf(Locale.ROOT, "%nThe last of these took %.0f µs of CPU each.%n", micros);
    }

    private static void each(int count, IntConsumer make, TestScheduler scheduler) {
        for (int i = 0; i < count; i++) {
            make.accept(i);
            scheduler.settle();
        }
    }

    private static void print(String what, long bytes, int count) {
        System.out.printf(Locale.ROOT, "| %s | %d | %d |%n", what, bytes >> 20, bytes / count);
    }

    /// A node as real ones are: a dozen labels, of which some are its own, and thirty images.
    private static Node made(int i) {
        var node =
                node("node-" + i)
                        .cpu("32")
                        .memory("128Gi")
                        .pods(250)
                        .zone("zone-" + i % 3)
                        .label("topology.kubernetes.io/region", "region-1")
                        .label("node.kubernetes.io/instance-type", "type-" + i % 7)
                        .label("kubernetes.io/arch", "amd64")
                        .label("kubernetes.io/os", "linux")
                        .label("pool", "pool-" + i % 20);
        for (int image = 0; image < 30; image++) {
            int number = (i + image) % 300;
            node.with(n -> n.image(new NodeImage(List.of("example.com/app-" + number + ":1"), 90)));
        }
        return node.build();
    }

    private static final List<PodSpec> SPECS = new ArrayList<>();

    /// Pods of one template share their spec, as they do when they come from the API server.
    private static Pod bound(int i, int nodes) {
        int template = i % TEMPLATES;
        var made =
                pod("app-" + template + "-7d4b9c6f58-" + Integer.toString(i, 36))
                        .cpu((10 + template % 90) + "m")
                        .memory("64Mi")
                        .label("app", "app-" + template)
                        .label("pod-template-hash", "7d4b9c6f58")
                        .build();
        if (template == SPECS.size()) {
            SPECS.add(made.spec());
        }
        return made.toBuilder().spec(SPECS.get(template)).build().onNode("node-" + i % nodes);
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
