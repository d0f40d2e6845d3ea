package io.berth.bench.stress;

import java.time.Duration;

/// `berth-bench/stress`: runs the scheduler under stress and tells what it could not bear.
public final class Stress {
    private static final String USAGE =
            """
            Runs the scheduler against an API server that is slow, refuses what is too much and loses answers, with permits,
            preemptions and a flood of news at once. Exits with 1 where something did not hold.

              berth-bench/stress [--minutes N] [--seconds N] [--seed N]
            """;
    private static final long TELL_NANOS = 10_000_000_000L;

    private Duration length = Duration.ofMinutes(10);
    private long seed = 1;
    private long toldNanos = System.nanoTime() - TELL_NANOS;

    private Stress() {}

    public static void main(String[] args) throws Exception {
        var stress = new Stress();
        try {
            if (!stress.read(args)) {
                return;
            }
        } catch (IllegalArgumentException problem) {
            System.err.println("Error: " + problem.getMessage());
            System.exit(2);
        }
        var findings = new StressRun(stress.seed, stress.length, stress::tell).run();
        System.err.println();
        System.out.print(findings.table());
        System.out.println(findings.areGood() ? "All held." : "Something did not hold.");
        System.exit(findings.areGood() ? 0 : 1);
    }

    private boolean read(String[] args) {
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--help", "-h" -> {
                    System.out.print(USAGE);
                    return false;
                }
                case "--minutes" -> length = Duration.ofMinutes(number(args, ++i));
                case "--seconds" -> length = Duration.ofSeconds(number(args, ++i));
                case "--seed" -> seed = number(args, ++i);
                default ->
                        throw new IllegalArgumentException(
                                "unknown option " + args[i] + "; see berth-bench/stress --help");
            }
        }
        return true;
    }

    private static long number(String[] args, int i) {
        if (i < args.length && args[i].matches("[0-9]{1,9}")) {
            return Long.parseLong(args[i]);
        }
        throw new IllegalArgumentException(args[i - 1] + " wants a number");
    }

    /// One line that is rewritten on a terminal, a line now and then elsewhere.
    private void tell(String line) {
        if (Boolean.getBoolean("berth.progress.terminal")) {
            System.err.print("\r\033[K" + line);
        } else if (System.nanoTime() - toldNanos >= TELL_NANOS) {
            toldNanos = System.nanoTime();
            System.err.println(line);
        }
    }
}
