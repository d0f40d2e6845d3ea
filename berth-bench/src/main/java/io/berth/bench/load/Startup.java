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
import java.util.function.ToDoubleFunction;

/// `berth-bench/startup`: from the start of a process to its first binding, and its memory, in
/// three clusters: an empty one, one with nodes, and a large one with pods that run.
public final class Startup implements Comparison {
    private static final String USAGE =
            """
            Measures the start and the memory of Berth, as it is packaged, and of the real kube-scheduler.

              berth-bench/startup [--rounds N] [--nodes N] [--large-nodes N] [--settle SECONDS]
                                 [--only berth] [--beside PROGRAM]...

            first binding    from the start of the process, in a cluster of --nodes nodes with a pod that waits
            idle             resident memory in an empty cluster, --settle seconds after it is ready
            large            resident memory with --large-nodes nodes and two pods on each, --settle seconds after
                             its first binding

            --beside measures one more program in turn with these, such as another checkout's
            berth-app/target/packaged-berth; it goes by the name of its file. --only takes names, with commas between.
            """;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String[] FLAGS = {"--leader-elect=true"};
    private static final double MIB = 1 << 20;

    /// What one start showed.
    ///
    /// @param bindingSeconds NaN where there was nothing to bind
    private record Start(double bindingSeconds, double cpuSeconds, double rss, double peakRss) {}

    private final Path packaged;
    private int rounds = 3;
    private int nodes = 1_000;
    private int largeNodes = 5_000;
    private Duration settle = Duration.ofSeconds(15);
    private String only = "";
    private final List<Path> beside = new ArrayList<>();

    private Startup(Path packaged) {
        this.packaged = packaged;
    }

    public static void main(String[] args) throws Exception {
        Comparison.main(new Startup(Path.of(args[0])), args);
    }

    @Override
    public String usage() {
        return USAGE;
    }

    @Override
    public boolean read(List<String> words) {
        return Options.read(
                "berth-bench/startup",
                words,
                Map.of(
                        "--rounds",
                        value -> rounds = Options.number(value),
                        "--nodes",
                        value -> nodes = Options.number(value),
                        "--large-nodes",
                        value -> largeNodes = Options.number(value),
                        "--settle",
                        value -> settle = Duration.ofSeconds(Options.number(value)),
                        "--only",
                        value -> only = value,
                        "--beside",
                        value -> beside.add(Path.of(value))));
    }

    @Override
    public void run(Binaries.Found binaries) throws Exception {
        var programs = Comparison.programs(packaged, beside, binaries, only);
        var idle = new LinkedHashMap<String, List<Start>>();
        var small = new LinkedHashMap<String, List<Start>>();
        var large = new LinkedHashMap<String, List<Start>>();
        try (var plane = ControlPlane.start(binaries)) {
            each(programs, "idle", idle, program -> idle(plane, program));
            System.err.printf("Creating %d nodes ...%n", nodes);
            var cluster = new LoadCluster(plane, nodes);
            each(programs, "start", small, program -> busy(plane, cluster, program, 0));
        }
        try (var plane = ControlPlane.start(binaries)) {
            System.err.printf("Creating %d nodes ...%n", largeNodes);
            var cluster = new LoadCluster(plane, largeNodes);
            each(programs, "large", large, program -> busy(plane, cluster, program, 2));
        }
        for (var program : programs) {
            System.out.printf("%n%s, medians of %d%n", program.name(), rounds);
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

    private void each(
            List<SchedulerProgram> programs,
            String what,
            Map<String, List<Start>> into,
            Measurement measurement)
            throws Exception {
        for (int round = 1; round <= rounds; round++) {
            for (var program : programs) {
                Start start = measurement.of(program);
                System.err.printf("%s, round %d: %s %s%n", what, round, program.name(), start);
                into.computeIfAbsent(program.name(), _ -> new ArrayList<>()).add(start);
            }
        }
    }

    private Start idle(ControlPlane plane, SchedulerProgram program) throws Exception {
        try (var scheduler = plane.start(program, FLAGS)) {
            scheduler.process().await("ready", LIMIT, () -> scheduler.api().answers("/readyz"));
            double cpu = ProcessFacts.of(scheduler.process().pid()).cpuSeconds();
            return settled(scheduler, Double.NaN, cpu);
        }
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
                if (!watch.await(1, LIMIT.toNanos(), _ -> {})) {
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
