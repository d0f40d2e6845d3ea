package io.berth.bench.load;

import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// `berth-bench/load`: runs workloads with each scheduler in turn on one real control plane.
public final class Load {
    private static final String USAGE =
            """
            Measures schedulers from outside on a real API server.

              berth-bench/load [--nodes N] [--pods N] [--rounds N] [--workloads a,b] [--limit SECONDS]
                               [--scheduler NAME=FILE]... [--json FILE] [--list]

            Without --scheduler, Berth and the real kube-scheduler take turns. A scheduler is any program that takes
            kube-scheduler's flags. Figures are medians of all rounds; every sample goes to the JSON file.
            """;

    private int nodes = 5_000;
    private int pods = 5_000;
    private int rounds = 3;
    private Duration limit = Duration.ofMinutes(10);
    private List<Workload> workloads = Workloads.all();
    private final List<SchedulerProgram> schedulers = new ArrayList<>();
    private String json = "";

    private Load() {}

    public static void main(String[] args) throws Exception {
        var load = new Load();
        try {
            if (!load.read(args)) {
                return;
            }
        } catch (IllegalArgumentException problem) {
            System.err.println("Error: " + problem.getMessage());
            System.exit(2);
        }
        System.exit(load.run() ? 0 : 1);
    }

    private boolean read(String[] args) {
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--help", "-h" -> {
                    System.out.print(USAGE);
                    return false;
                }
                case "--list" -> {
                    workloads.forEach(workload -> System.out.println(workload.name()));
                    return false;
                }
                case "--nodes" -> nodes = number(args, ++i);
                case "--pods" -> pods = number(args, ++i);
                case "--rounds" -> rounds = number(args, ++i);
                case "--limit" -> limit = Duration.ofSeconds(number(args, ++i));
                case "--json" -> json = value(args, ++i);
                case "--scheduler" -> schedulers.add(program(value(args, ++i)));
                case "--workloads" -> workloads = named(value(args, ++i));
                default ->
                        throw new IllegalArgumentException(
                                "unknown option " + args[i] + "; see berth-bench/load --help");
            }
        }
        return true;
    }

    private static String value(String[] args, int i) {
        if (i >= args.length) {
            throw new IllegalArgumentException(args[i - 1] + " wants a value");
        }
        return args[i];
    }

    private static int number(String[] args, int i) {
        String text = value(args, i);
        try {
            int number = Integer.parseInt(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Told below, together with numbers that are too small.
        }
        throw new IllegalArgumentException(
                args[i - 1] + " wants a number above zero, got \"" + text + "\"");
    }

    private static SchedulerProgram program(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("--scheduler wants NAME=FILE, got \"" + text + "\"");
        }
        Path file = Path.of(text.substring(equals + 1));
        if (!Files.isExecutable(file)) {
            throw new IllegalArgumentException("--scheduler: " + file + " is no program");
        }
        return new SchedulerProgram(text.substring(0, equals), file.toAbsolutePath());
    }

    private static List<Workload> named(String names) {
        return Arrays.stream(names.split(","))
                .map(name ->
                        Workloads.all().stream()
                                .filter(workload -> workload.name().equals(name))
                                .findFirst()
                                .orElseThrow(() ->
                                        new IllegalArgumentException(
                                                "no workload is called \""
                                                        + name
                                                        + "\"; --list names them")))
                .toList();
    }

    private boolean run() throws Exception {
        if (!(Binaries.find() instanceof Binaries.Found binaries)) {
            System.err.println("Error: " + Binaries.REMEDY);
            return false;
        }
        if (schedulers.isEmpty()) {
            SchedulerProgram.berth().ifPresent(schedulers::add);
            schedulers.add(SchedulerProgram.kubeScheduler(binaries));
        }
        var report =
                new Report(
                        schedulers.stream().map(SchedulerProgram::name).toList(),
                        Map.of(
                                "nodes", Integer.toString(nodes),
                                "pods", Integer.toString(pods),
                                "rounds", Integer.toString(rounds)));
        boolean allWell = true;
        try (var plane =
                ControlPlane.start(
                        binaries,
                        "--max-requests-inflight=4000",
                        "--max-mutating-requests-inflight=2000")) {
            System.err.printf("Creating %d nodes ...%n", nodes);
            var trial = new Trial(plane, new LoadCluster(plane, nodes), limit);
            for (var workload : workloads) {
                for (int round = 1; round <= rounds; round++) {
                    allWell &= round(trial, workload, round, report);
                }
            }
        }
        System.out.printf(
                "%d nodes, %d pods, medians of %d rounds%n%n%s",
                nodes, pods, rounds, report.table());
        if (!json.isEmpty()) {
            Files.writeString(Path.of(json), report.json() + "\n");
        }
        return allWell;
    }

    /// Each scheduler once; who begins changes from round to round.
    private boolean round(Trial trial, Workload workload, int round, Report report) {
        boolean allWell = true;
        for (int i = 0; i < schedulers.size(); i++) {
            var program = schedulers.get((i + round) % schedulers.size());
            int count = workload.name().equals("daemonset") ? Math.min(pods, nodes) : pods;
            System.err.printf("%s, round %d: %s ... ", workload.name(), round, program.name());
            try {
                Sample sample = trial.run(program, workload, count);
                System.err.printf(
                        "%.0f pods/s, %.2f ms of CPU each%n",
                        sample.podsPerSecond(), sample.schedulerCpuMillis());
                report.add(workload.name(), program.name(), sample);
            } catch (Exception failure) {
                System.err.println("failed: " + failure.getMessage());
                allWell = false;
            }
        }
        return allWell;
    }
}
