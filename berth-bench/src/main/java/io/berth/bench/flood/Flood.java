package io.berth.bench.flood;

import io.berth.bench.Comparison;
import io.berth.bench.Options;
import io.berth.e2e.Binaries;
import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProgram;
import io.berth.e2e.flood.FloodSample;
import io.berth.e2e.flood.FloodTrial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// `berth-bench/flood`: how long pods wait for their nodes while a crowd is at the scheduler's
/// port, with each scheduler in turn on one real control plane.
public final class Flood extends Comparison {
    private static final String USAGE =
            """
            Measures what a crowd of anonymous clients at the HTTPS port costs the pods that are placed meanwhile.

              berth-bench/flood [--connections 300,800,2000] [--seconds N] [--rounds N] [--only NAME]

            Each client asks for /healthz again and again, each time on a new connection. A pod is created every tenth
            of a second. Berth, as it is packaged, and the real kube-scheduler take turns. The worst of all rounds counts.
            """;

    private List<Integer> connections = List.of(300, 800, 2_000);
    private Duration length = Duration.ofSeconds(20);

    private Flood() {
        super("berth-bench/flood", USAGE, 1);
    }

    public static void main(String[] args) throws Exception {
        new Flood().start(args);
    }

    @Override
    protected Map<String, Consumer<String>> options() {
        return Map.of(
                "--connections",
                value ->
                        connections = Arrays.stream(value.split(",")).map(Options::number).toList(),
                "--seconds",
                value -> length = Duration.ofSeconds(Options.number(value)));
    }

    @Override
    protected void run(Path packaged, Binaries.Found binaries) throws Exception {
        var programs = programs(packaged, List.of(), binaries);
        var lines = new StringBuilder();
        try (var plane = ControlPlane.start(binaries)) {
            var trial = new FloodTrial(plane, length);
            for (int crowd : connections) {
                for (var program : programs) {
                    lines.append(line(crowd, program.name(), worst(trial, program, crowd)));
                }
            }
        }
        System.out.printf(
                "| Clients | Scheduler | Worst binding | Median | Pods | Lease | Answered | Not |%n"
                        + "|---|---|---|---|---|---|---|---|%n%s",
                lines);
    }

    private FloodSample worst(FloodTrial trial, SchedulerProgram program, int crowd)
            throws Exception {
        var samples = new ArrayList<FloodSample>();
        for (int round = 1; round <= rounds(); round++) {
            System.err.printf("%d clients, round %d: %s ... ", crowd, round, program.name());
            samples.add(trial.run(program, crowd));
            System.err.println(samples.getLast());
        }
        return samples.stream()
                .max((a, b) -> Double.compare(a.worstSeconds(), b.worstSeconds()))
                .orElseThrow();
    }

    private static String line(int crowd, String scheduler, FloodSample sample) {
        return "| %,d | %s | %.2f s | %.3f s | %d | %s | %,d | %,d |%n"
                .formatted(
                        crowd,
                        scheduler,
                        sample.worstSeconds(),
                        sample.medianSeconds(),
                        sample.pods(),
                        sample.leaseKept() ? "kept" : "lost",
                        sample.answered(),
                        sample.unanswered());
    }
}
