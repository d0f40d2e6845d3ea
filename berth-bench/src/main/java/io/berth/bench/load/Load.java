package io.berth.bench.load;

import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProgram;
import io.berth.testkit.Progress;
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

              berth-bench/load [--nodes N] [--pods N] [--before N] [--rounds N] [--workloads a,b] [--limit SECONDS]
                               [--scheduler NAME=FILE]... [--steady | --asked N] [--json FILE] [--list]

            Without --scheduler, Berth and the real kube-scheduler take turns. A scheduler is any program that takes
            kube-scheduler's flags. Figures are medians of all rounds; every sample goes to the JSON file.

            Beside them runs the null scheduler, which binds each pod to the next node without looking: what the API
            server can take at all. The column "of the limit" is the first scheduler's share of that.

            With --before N a scheduler places N pods of the workload first, which stay; then the measured pods come,
            and figures are of these alone, as in scheduler_perf. Without it the measured pods are there when the
            process starts, and its start is part of the figures. Where devices are taken from the beginning
            (claims-half-full), the first pods go before the measured ones come.

            With --steady a scheduler stays up while batches of --pods pods come and go, until the CPU that it takes
            for a pod levels off; the table has a line for each batch.

            With --asked N the first scheduler, which has to be Berth, stays up while batches of pods come and go, with twelve bound pods on every node; with
            every second batch it is asked N times a second why some other pods wait.
            """;

    private int nodes = 5_000;
    private int pods = 5_000;
    private int before;
    private int rounds = 3;
    private Duration limit = Duration.ofMinutes(10);
    private List<Workload> workloads = Workloads.all();
    private final List<ProgramContestant> programs = new ArrayList<>();
    private final List<Contestant> schedulers = new ArrayList<>();
    private boolean isSteady;
    private int questions;
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
                case "--before" -> before = number(args, ++i);
                case "--rounds" -> rounds = number(args, ++i);
                case "--limit" -> limit = Duration.ofSeconds(number(args, ++i));
                case "--json" -> json = value(args, ++i);
                case "--steady" -> isSteady = true;
                case "--asked" -> questions = number(args, ++i);
                case "--scheduler" ->
                        programs.add(new ProgramContestant(program(value(args, ++i))));
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
        if (programs.isEmpty()) {
            SchedulerProgram.berth().map(ProgramContestant::new).ifPresent(programs::add);
            programs.add(new ProgramContestant(SchedulerProgram.kubeScheduler(binaries)));
        }
        if (questions > 0) {
            return asked(binaries);
        }
        return isSteady ? steady(binaries) : trials(binaries);
    }

    private boolean steady(Binaries.Found binaries) throws Exception {
        try (var plane = plane(binaries)) {
            System.err.printf("Creating %d nodes ...%n", nodes);
            var steady = new Steady(plane, new LoadCluster(plane, nodes), pods, limit);
            for (var workload : workloads) {
                System.out.printf(
                        "%s, %d nodes, batches of %d pods, CPU ms/pod%n%n%s%n",
                        workload.name(), nodes, pods, steady.table(programs, workload));
            }
        }
        return true;
    }

    private boolean asked(Binaries.Found binaries) throws Exception {
        try (var plane = plane(binaries)) {
            System.err.printf("Creating %d nodes ...%n", nodes);
            var cluster = new LoadCluster(plane, nodes);
            for (var workload : workloads) {
                var trial = new Asked(plane, cluster, nodes, pods, questions, limit);
                System.out.printf(
                        "%s, %d nodes, batches of %d pods, %d questions a second%n%n%s%n",
                        workload.name(),
                        nodes,
                        pods,
                        questions,
                        trial.table(programs.getFirst(), workload));
            }
        }
        return true;
    }

    private static ControlPlane plane(Binaries.Found binaries) {
        return ControlPlane.start(
                binaries,
                "--max-requests-inflight=4000",
                "--max-mutating-requests-inflight=2000",
                // There is no controller that would let go of volumes and claims.
                "--disable-admission-plugins=StorageObjectInUseProtection");
    }

    private boolean trials(Binaries.Found binaries) throws Exception {
        schedulers.addAll(programs);
        schedulers.add(new NullScheduler());
        var report =
                new Report(
                        schedulers.stream().map(Contestant::name).toList(),
                        Map.of(
                                "nodes", Integer.toString(nodes),
                                "pods", Integer.toString(pods),
                                "before", Integer.toString(before),
                                "rounds", Integer.toString(rounds)));
        boolean allWell = true;
        try (var plane = plane(binaries)) {
            System.err.printf("Creating %d nodes ...%n", nodes);
            var cluster = new LoadCluster(plane, nodes);
            var progress = Progress.onStandardError("pods", allPods());
            var trial = new Trial(plane, cluster, limit, progress);
            for (var workload : workloads) {
                for (int round = 1; round <= rounds; round++) {
                    allWell &= round(trial, workload, round, report, progress);
                }
            }
        }
        System.out.printf(
                "%d nodes, %d pods%s, medians of %d rounds%n%n%s",
                nodes, pods, before == 0 ? "" : " after " + before, rounds, report.table());
        if (!json.isEmpty()) {
            Files.writeString(Path.of(json), report.json() + "\n");
        }
        return allWell;
    }

    private long allPods() {
        return (long) rounds
                * schedulers.size()
                * workloads.stream().mapToInt(each -> before + podCount(each)).sum();
    }

    private int podCount(Workload workload) {
        return workload.name().equals("daemonset") ? Math.min(pods, nodes) : pods;
    }

    /// Each scheduler once; who begins changes from round to round.
    private boolean round(
            Trial trial, Workload workload, int round, Report report, Progress progress) {
        boolean allWell = true;
        for (int i = 0; i < schedulers.size(); i++) {
            var program = schedulers.get((i + round) % schedulers.size());
            if (program instanceof NullScheduler && !workload.hasLimit()) {
                continue;
            }
            String what = "%s, round %d: %s".formatted(workload.name(), round, program.name());
            progress.begin(what);
            String outcome;
            try {
                Sample sample = trial.run(program, workload, before, podCount(workload));
                outcome = outcome(sample);
                report.add(workload.name(), program.name(), sample);
            } catch (Exception failure) {
                outcome = "failed: " + failure.getMessage();
                progress.failed();
                allWell = false;
            }
            progress.clear();
            System.err.println(what + " ... " + outcome);
        }
        return allWell;
    }

    /// What a process does of its own accord is counted; the null scheduler is none.
    private static String outcome(Sample sample) {
        var speed = "%.0f pods/s".formatted(sample.podsPerSecond());
        return Double.isNaN(sample.schedulerCpuMillis())
                ? speed
                : speed + ", %.2f ms of CPU each".formatted(sample.schedulerCpuMillis());
    }
}
