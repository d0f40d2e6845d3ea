package io.berth.sim;

import io.berth.sim.Simulation.Way;
import io.berth.sim.scenario.Scenario;
import io.berth.testkit.Progress;
import java.io.PrintStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Runs seeds from the command line: `Simulate --seeds 1..2000 [--verbose] [--curious] [--volumes]
/// [--devices]`.
public final class Simulate {
    private static final Pattern SEEDS = Pattern.compile("(\\d+)(?:\\.\\.(\\d+))?");

    private Simulate() {}

    static String command(Scenario scenario, boolean isCurious) {
        return "berth-sim/simulate --seeds "
                + scenario.seed()
                + " --verbose"
                + (isCurious ? " --curious" : "")
                + (scenario.hasVolumes() ? " --volumes" : "")
                + (scenario.hasDevices() ? " --devices" : "");
    }

    /// What the command line asks for.
    ///
    /// @param isCurious whether somebody asks the engine about pods between its steps
    /// @param hasVolumes whether pods have claims in every run
    /// @param hasDevices whether pods want devices
    private record Request(
            long from,
            long to,
            boolean isVerbose,
            boolean isCurious,
            boolean hasVolumes,
            boolean hasDevices) {
        Scenario scenario(long seed) {
            var scenario = Scenario.of(seed);
            scenario = hasVolumes ? scenario.withVolumes() : scenario;
            return hasDevices ? scenario.withDevices() : scenario;
        }
    }

    public static void main(String[] args) {
        // Strands hand over faster when they share one carrier.
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
        var request = parse(args);
        if (request == null) {
            System.err.println(
                    "usage: Simulate --seeds FROM..TO [--verbose] [--curious] [--volumes]"
                            + " [--devices]");
            System.exit(2);
            return;
        }
        long seeds = request.to - request.from + 1;
        var progress =
                request.isVerbose ? Progress.silent() : Progress.onStandardError("seeds", seeds);
        System.exit(run(request, System.out, progress) == 0 ? 0 : 1);
    }

    private static @Nullable Request parse(String[] args) {
        boolean verbose = false;
        boolean curious = false;
        boolean volumes = false;
        boolean devices = false;
        long from = -1;
        long to = -1;
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--verbose")) {
                verbose = true;
            } else if (args[i].equals("--curious")) {
                curious = true;
            } else if (args[i].equals("--volumes")) {
                volumes = true;
            } else if (args[i].equals("--devices")) {
                devices = true;
            } else if (args[i].equals("--seeds") && i + 1 < args.length) {
                var match = SEEDS.matcher(args[++i]);
                if (!match.matches()) {
                    return null;
                }
                from = Long.parseLong(match.group(1));
                to = match.group(2) == null ? from : Long.parseLong(match.group(2));
            } else {
                return null;
            }
        }
        return from < 0 || to < from
                ? null
                : new Request(from, to, verbose, curious, volumes, devices);
    }

    private static long run(Request request, PrintStream out, Progress progress) {
        long failed = 0;
        long lines = 0;
        long virtualMillis = 0;
        long begin = System.nanoTime();
        for (long seed = request.from; seed <= request.to; seed++) {
            try {
                var outcome =
                        Simulation.run(
                                request.scenario(seed),
                                request.isCurious ? Way.CURIOUS : Way.PLAIN,
                                request.isVerbose ? out::println : _ -> {});
                lines += outcome.lines();
                virtualMillis += outcome.virtualMillis();
                if (request.isVerbose) {
                    out.println("seed " + seed + " went well, checksum " + outcome.checksum());
                }
            } catch (SimulationFailure failure) {
                failed++;
                progress.failed();
                progress.clear();
                out.println(failure.getMessage());
                if (request.isVerbose) {
                    failure.printStackTrace(out);
                }
            }
            progress.advance(1);
        }
        progress.clear();
        out.printf(
                "%d seeds, %d failed, %d lines, %d s of virtual time in %d s%n",
                request.to - request.from + 1,
                failed,
                lines,
                virtualMillis / 1000,
                (System.nanoTime() - begin) / 1_000_000_000);
        return failed;
    }
}
