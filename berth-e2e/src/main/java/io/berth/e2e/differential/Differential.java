package io.berth.e2e.differential;

import io.berth.e2e.Binaries;
import io.berth.e2e.SchedulerProgram;
import io.berth.e2e.differential.scenario.About;
import io.berth.testkit.Progress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The command: plays seeds and prints what differs. Ends with status 1 where something does.
///
/// ```
/// --seeds 1..100   clusters to play
/// --cases 20       pods per cluster
/// --case 7         only this one
/// --no-shrinking   print where, not what
/// --about volumes  all clusters about this (all, rivals, volumes, devices); else as seeds say
/// --program FILE   another scheduler in Berth's place
/// --gates A=true   feature gates of both schedulers and of the API server
/// ```
public final class Differential {
    private long firstSeed = 1;
    private long lastSeed = 10;
    private int firstCase = 1;
    private int lastCase = 20;
    private boolean isShrinking = true;
    private @Nullable About about;
    private String gates = "";
    private String program = "";

    private Differential() {}

    public static void main(String[] args) {
        var command = new Differential();
        try {
            command.read(args);
        } catch (IllegalArgumentException e) {
            System.err.println("differential: " + e.getMessage());
            System.exit(2);
        }
        System.exit(command.run());
    }

    private void read(String[] args) {
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--seeds" -> {
                    var range = value(args, ++i);
                    int dots = range.indexOf("..");
                    firstSeed = number(dots < 0 ? range : range.substring(0, dots));
                    lastSeed = dots < 0 ? firstSeed : number(range.substring(dots + 2));
                }
                case "--cases" -> lastCase = (int) number(value(args, ++i));
                case "--case" -> {
                    firstCase = (int) number(value(args, ++i));
                    lastCase = firstCase;
                }
                case "--no-shrinking" -> isShrinking = false;
                case "--about" -> about = About.named(value(args, ++i));
                case "--program" -> program = value(args, ++i);
                case "--gates" -> gates = value(args, ++i);
                default ->
                        throw new IllegalArgumentException(
                                "unknown option %s; there are --seeds A..B, --cases N, --case N,"
                                                .formatted(args[i])
                                        + " --no-shrinking, --about WHAT, --program FILE, --gates A=true");
            }
        }
    }

    private static String value(String[] args, int at) {
        if (at >= args.length) {
            throw new IllegalArgumentException(args[at - 1] + " needs a value");
        }
        return args[at];
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a number: " + text, e);
        }
    }

    private int run() {
        if (!(Binaries.find() instanceof Binaries.Found binaries)) {
            System.err.println("differential: " + Binaries.REMEDY);
            return 2;
        }
        var berth =
                program.isEmpty()
                        ? SchedulerProgram.berth()
                                .orElseThrow(
                                        () -> new IllegalStateException("there is no launcher"))
                        : new SchedulerProgram("other", Path.of(program));
        long started = System.nanoTime();
        try (var plane = Arena.controlPlane(binaries, gates);
                var arena = Arena.open(plane, berth, gates)) {
            int cases = lastCase - firstCase + 1;
            var progress = Progress.onStandardError("cases", (lastSeed - firstSeed + 1) * cases);
            var run =
                    new DifferentialRun(
                            arena,
                            isShrinking,
                            progress,
                            seed -> about == null ? About.of(seed) : about);
            for (long seed = firstSeed; seed <= lastSeed; seed++) {
                run.play(seed, firstCase, lastCase);
                progress.reach((seed - firstSeed + 1) * cases);
            }
            progress.clear();
            var took = Duration.ofNanos(System.nanoTime() - started);
            System.out.println(run.tally() + ", in " + took.toSeconds() + " s");
            return run.tally().findings().isEmpty() ? 0 : 1;
        }
    }
}
