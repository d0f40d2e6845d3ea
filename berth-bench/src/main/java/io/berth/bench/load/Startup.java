package io.berth.bench.load;

import io.berth.bench.Comparison;
import io.berth.bench.Options;
import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProcess;
import io.berth.e2e.SchedulerProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/// `berth-bench/startup`: from the start of a process to its first binding, and its memory, in
/// three clusters: an empty one, one with nodes, and a large one with pods that run.
public final class Startup extends Comparison {
    private static final String USAGE =
            """
            Measures the start and the memory of Berth, as it is packaged, and of the real kube-scheduler.

              berth-bench/startup [--rounds N] [--nodes N] [--large-nodes N] [--settle SECONDS]
                                 [--clusters idle,first,large] [--only berth] [--beside PROGRAM]...

            idle     resident memory in an empty cluster, --settle seconds after it is ready
            first    first binding from the start of the process, in a cluster of --nodes nodes with a pod that waits
            large    resident memory with --large-nodes nodes and two pods on each, --settle seconds after its first
                     binding

            --beside measures one more program in turn with these, such as another checkout's
            berth-app/target/packaged-berth; it goes by the name of its file. --only takes names, with commas between.
            """;

    private static final List<String> CLUSTERS = List.of("idle", "first", "large");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String[] FLAGS = {"--leader-elect=true"};
    private static final double MIB = 1 << 20;

    /// What one start showed.
    ///
    /// @param bindingSeconds NaN where there was nothing to bind
    private record Start(double bindingSeconds, double cpuSeconds, double rss, double peakRss) {}

    private int nodes = 1_000;
    private int largeNodes = 5_000;
    private Duration settle = Duration.ofSeconds(15);
    private List<String> clusters = CLUSTERS;
    private final List<Path> beside = new ArrayList<>();

    private Startup() {
        super("berth-bench/startup", USAGE, 3);
    }

    public static void main(String[] args) throws Exception {
        new Startup().start(args);
    }

    @Override
    protected Map<String, Consumer<String>> options() {
        return Map.of(
                "--nodes",
                value -> nodes = Options.number(value),
                "--large-nodes",
                value -> largeNodes = Options.number(value),
                "--settle",
                value -> settle = Duration.ofSeconds(Options.number(value)),
                "--clusters",
                value -> clusters = known(value.split(",")),
                "--beside",
                value -> beside.add(Path.of(value)));
    }

    private static List<String> known(String... names) {
        for (var name : names) {
            if (!CLUSTERS.contains(name)) {
                throw new IllegalArgumentException(
                        "no cluster \"%s\"; there are %s".formatted(name, CLUSTERS));
            }
        }
        return List.of(names);
    }

    @Override
    protected void run(Path packaged, Binaries.Found binaries) throws Exception {
        var programs = programs(packaged, beside, binaries);
        var idle = measured("idle", programs, binaries, plane -> one -> idle(plane, one));
        var small = measured("first", programs, binaries, plane -> busy(plane, nodes, 0));
        var large = measured("large", programs, binaries, plane -> busy(plane, largeNodes, 2));
        for (var program : programs) {
            System.out.printf("%n%s, medians of %d%n", program.name(), rounds());
            print(small, program, "first binding, s", Start::bindingSeconds);
            print(small, program, "CPU until then, s", Start::cpuSeconds);
            print(idle, program, "idle, MiB", Start::rss);
            print(small, program, nodes + " nodes, MiB", Start::rss);
            print(large, program, "large, MiB", Start::rss);
            print(large, program, "large, highest, MiB", Start::peakRss);
            print(large, program, "large, first binding, s", Start::bindingSeconds);
        }
    }

    /// Starts a program once and tells about it.
    private interface Measurement {
        Start of(SchedulerProgram program) throws Exception;
    }

    /// Makes a cluster on a new control plane.
    private interface Cluster {
        Measurement on(ControlPlane plane) throws Exception;
    }

    /// The starts of each program in a cluster; none where it is not asked for.
    private Map<String, List<Start>> measured(
            String what, List<SchedulerProgram> programs, Binaries.Found binaries, Cluster cluster)
            throws Exception {
        var starts = new LinkedHashMap<String, List<Start>>();
        if (!clusters.contains(what)) {
            return starts;
        }
        try (var plane = ControlPlane.start(binaries)) {
            var measurement = cluster.on(plane);
            for (int round = 1; round <= rounds(); round++) {
                for (var program : programs) {
                    Start start = measurement.of(program);
                    System.err.printf("%s, round %d: %s %s%n", what, round, program.name(), start);
                    starts.computeIfAbsent(program.name(), _ -> new ArrayList<>()).add(start);
                }
            }
        }
        return starts;
    }

    private Start idle(ControlPlane plane, SchedulerProgram program) throws Exception {
        try (var scheduler = plane.start(program, FLAGS)) {
            scheduler.process().await("ready", LIMIT, () -> scheduler.api().answers("/readyz"));
            double cpu = ProcessFacts.of(scheduler.process().pid()).cpuSeconds();
            return settled(scheduler, Double.NaN, cpu);
        }
    }

    private Measurement busy(ControlPlane plane, int count, int podsPerNode) throws Exception {
        System.err.printf("Creating %d nodes ...%n", count);
        var cluster = new LoadCluster(plane, count);
        return program -> busy(plane, cluster, program, podsPerNode);
    }

    private Start busy(
            ControlPlane plane, LoadCluster cluster, SchedulerProgram program, int podsPerNode)
            throws Exception {
        Workload basic = Workloads.all().getFirst();
        String namespace =
                cluster.prepare(
                        basic.with(podsPerNode, i -> Workloads.pod("b" + i, "app-" + i % 40, "")),
                        1);
        try (var watch = new BindingWatch(plane, namespace, cluster.version(namespace))) {
            long begin = System.nanoTime();
            try (var scheduler = plane.start(program, FLAGS)) {
                if (!watch.await(1, LIMIT, scheduler.process()::running, _ -> {})) {
                    throw new IllegalStateException(
                            "nothing was bound\n" + scheduler.process().logTail());
                }
                double cpu = ProcessFacts.of(scheduler.process().pid()).cpuSeconds();
                return settled(scheduler, (watch.firstNanos() - begin) / 1e9, cpu);
            }
        } finally {
            cluster.clean(basic, namespace);
        }
    }

    private Start settled(SchedulerProcess scheduler, double binding, double cpu)
            throws InterruptedException {
        Thread.sleep(settle);
        var facts = ProcessFacts.of(scheduler.process().pid());
        return new Start(binding, cpu, facts.rssBytes() / MIB, facts.peakRssBytes() / MIB);
    }

    private static void print(
            Map<String, List<Start>> starts,
            SchedulerProgram program,
            String what,
            ToDoubleFunction<Start> figure) {
        double[] sorted =
                starts.getOrDefault(program.name(), List.of()).stream()
                        .mapToDouble(figure)
                        .sorted()
                        .toArray();
        if (sorted.length > 0) {
            System.out.printf("  %-24s %8.2f%n", what, sorted[sorted.length / 2]);
        }
    }
}
