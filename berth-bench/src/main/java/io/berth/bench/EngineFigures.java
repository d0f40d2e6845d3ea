package io.berth.bench;

import io.berth.bench.EngineTrial.Size;
import io.berth.testkit.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Prints what the engine alone needs per pod, all nodes judged.
///
/// Usage: `EngineFigures [nodes] [parts of scenarios' names, with commas between]`
public final class EngineFigures {
    private static final int REFERENCE_NODES = 5_000;

    private EngineFigures() {}

    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : REFERENCE_NODES;
        String only = args.length > 1 ? args[1] : "";
        var scenarios = named(only);
        if (scenarios.isEmpty()) {
            end("No scenario's name contains \"%s\".".formatted(only));
        }
        System.out.printf(
                Locale.ROOT,
                "%d nodes, engine alone, one thread; CPU time per pod, median of %d batches of %d%n%n",
                nodes,
                Size.FULL.batches(),
                Size.FULL.batch());
        System.out.println("| workload | µs per pod | best | at most | bytes per pod |");
        System.out.println("|---|---|---|---|---|");
        var progress =
                Progress.onStandardError(
                        "pods", scenarios.stream().mapToLong(Size.FULL::pods).sum());
        for (var scenario : scenarios) {
            progress.begin(scenario.name());
            EngineTrial.Figures figures;
            try {
                figures = new EngineTrial(scenario, nodes, Size.FULL, progress).measure();
            } catch (EngineTrial.OtherOutcome problem) {
                progress.clear();
                end(
                        "%s: %s Are %d nodes enough?"
                                .formatted(scenario.name(), problem.getMessage(), nodes));
                return;
            }
            progress.clear();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.0f | %d |%n",
                    scenario.name(),
                    figures.medianMicros(),
                    figures.bestMicros(),
                    scenario.limitMicros() * limitFactor(nodes),
                    figures.bytes());
        }
    }

    private static List<Scenario> named(String parts) {
        var wanted = parts.split(",");
        return Scenarios.all().stream()
                .filter(one -> Arrays.stream(wanted).anyMatch(one.name()::contains))
                .toList();
    }

    private static double limitFactor(int nodes) {
        return nodes <= REFERENCE_NODES ? 1 : 1.2 * nodes / REFERENCE_NODES;
    }

    private static void end(String sentence) {
        System.err.println("berth-bench/figures: " + sentence);
        System.exit(1);
    }
}
