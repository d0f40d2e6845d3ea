package io.berth.bench;

import static io.berth.testkit.Pods.pod;

import io.berth.api.model.ClusterObject;
import io.berth.api.spec.PodSpec;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.Twin;
import io.berth.plugins.InTree;
import io.berth.testkit.HandClock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/// Prints how much CPU time it takes until a twin of a cluster is ready to be asked, and until it
/// has answered its first question, in a process that has just started and in one that has made
/// twins before.
///
/// Usage: `TwinFigures [nodes] [pods]`
public final class TwinFigures {
    private static final int TIMES = 6;

    private TwinFigures() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        int pods = args.length > 1 ? Integer.parseInt(args[1]) : 10 * nodes;
        var image = image(nodes, pods);
        System.out.printf(Locale.ROOT, "%d nodes, %d bound pods%n%n", nodes, pods);
        System.out.println("| twin | ready after, ms of CPU | first answer after, ms more |");
        System.out.println("|---|---|---|");
        for (int i = 1; i <= TIMES; i++) {
            measure(image, i);
        }
    }

    private static ClusterImage image(int nodes, int pods) {
        var cluster = new LargeCluster(nodes);
        var objects = new ArrayList<ClusterObject>();
        for (int i = 0; i < nodes; i++) {
            objects.add(LargeCluster.node(i));
        }
        for (int i = 0; i < pods; i++) {
            objects.add(cluster.bound(i));
        }
        return ClusterImage.of(objects);
    }

    private static void measure(ClusterImage image, int number)
            throws InterruptedException, ExecutionException {
        System.gc();
        long begin = cpuNanos();
        try (var twin =
                Twin.of(
                        EngineSettings.of(
                                List.of(
                                        ProfileSettings.of(
                                                PodSpec.DEFAULT_SCHEDULER, InTree.defaults()))),
                        Registry.of(InTree.factories()),
                        new HandClock(),
                        image)) {
            long ready = cpuNanos();
            var probe = pod("probe").cpu("10m").label("app", "app-1").build();
            var told = twin.ask(asked -> asked.explain(probe)).get().orElseThrow();
            if (told.totals().isEmpty()) {
                throw new IllegalStateException("no node for " + probe);
            }
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %d | %d |%n",
                    number,
                    (ready - begin) / 1_000_000,
                    (cpuNanos() - ready) / 1_000_000);
        }
    }

    /// Of the whole process: compilers and collectors count.
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
