package io.berth.bench;

import com.sun.management.ThreadMXBean;
import io.berth.bench.EngineTrial.Size;
import io.berth.testkit.Progress;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// `berth-bench/figures ratios`: a few figures of the engine beside each other, to notice when
/// something has become twice as slow.
///
/// Times differ between machines and hours, ratios of CPU times of one thread much less. A ratio
/// that exceeds its bound is measured again, and the least counts: what really is slow stays slow.
public final class Ratios {
    private static final int TRIES = 3;
    private static final int NODES = 2_000;
    private static final int MANY_NODES = 20_000;
    private static final Size SHORT = new Size(1_500, 100, 9);
    private static final Size FEW = new Size(400, 20, 9);

    private final Map<String, Double> known = new HashMap<>();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Ratios() {}

    /// One cost beside another.
    ///
    /// @param nodes how many the first is measured with
    private record Question(String scenario, int nodes, String beside, double atMost) {}

    private static final Question[] QUESTIONS = {
        new Question("equal pods", MANY_NODES, "equal pods", 3),
        new Question("40 shapes interleaved", NODES, "equal pods", 3),
        new Question("affinity on zone", NODES, "equal pods", 4),
        new Question("spread over zones, hard", NODES, "equal pods", 4),
        new Question("spread over zones, soft", NODES, "equal pods", 5),
        new Question("40 mixed deployments", NODES, "equal pods", 5),
        new Question("daemon pods", NODES, "equal pods", 3),
        new Question("a shape for every pod", NODES, "a loop", 3),
        new Question("pods that fit nowhere", NODES, "a loop", 3),
        new Question("preemption, four victims", NODES, "a loop", 3),
        new Question("equal pods", NODES, "a loop", 3),
    };

    public static void main(String[] args) {
        System.out.print(Ratio.HEADER);
        var ratios = new Ratios();
        boolean allKept = true;
        for (var question : QUESTIONS) {
            var ratio = ratios.least(question);
            System.out.print(ratio.line());
            allKept &= ratio.isKept();
        }
        if (!allKept) {
            System.err.println(
                    "berth-bench/figures: a ratio is exceeded, so something takes twice as long as"
                            + " it did. See docs/benchmarks.md for what is usual.");
            System.exit(1);
        }
    }

    private Ratio least(Question question) {
        var least = ratio(question);
        for (int tried = 1; tried < TRIES && !least.isKept(); tried++) {
            known.clear();
            var again = ratio(question);
            least = again.value() < least.value() ? again : least;
        }
        return least;
    }

    private Ratio ratio(Question question) {
        return new Ratio(
                question.scenario + ", " + question.nodes + " nodes",
                micros(question.scenario, question.nodes),
                question.beside,
                micros(question.beside, NODES),
                question.atMost);
    }

    private double micros(String name, int nodes) {
        var key = name + " " + nodes;
        var micros = known.get(key);
        if (micros == null) {
            micros = name.equals("a loop") ? loopMicros() : scenarioMicros(name, nodes);
            known.put(key, micros);
        }
        return micros;
    }

    private static double scenarioMicros(String name, int nodes) {
        var scenario =
                Scenarios.all().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        boolean isDear =
                scenario.outcome() != Scenario.Outcome.PLACED || name.startsWith("a shape");
        return new EngineTrial(scenario, nodes, isDear ? FEW : SHORT, Progress.silent())
                .measure()
                .medianMicros();
    }

    /// What a machine needs for some work that no change of ours touches: passes over arrays,
    /// lookups and new objects, as in an attempt.
    private double loopMicros() {
        int times = 400;
        var micros = new double[15];
        long sum = 0;
        for (int i = 0; i < micros.length; i++) {
            long begun = threads.getCurrentThreadCpuTime();
            for (int time = 0; time < times; time++) {
                sum += loop(time);
            }
            micros[i] = (threads.getCurrentThreadCpuTime() - begun) / 1e3 / times;
        }
        if (sum == 0) {
            throw new IllegalStateException("the loop did nothing");
        }
        Arrays.sort(micros);
        return micros[micros.length / 2];
    }

    private static long loop(int seed) {
        var values = new long[NODES];
        var byName = new HashMap<String, Long>();
        long best = Long.MIN_VALUE;
        for (int i = 0; i < values.length; i++) {
            values[i] = (seed + 1L) * 0x9e3779b97f4a7c15L ^ (long) i << 17;
            best = Math.max(best, values[i] >>> 3);
            if (i % 16 == 0) {
                byName.merge("name-" + i % 256, best, Long::sum);
            }
        }
        return best + byName.size();
    }
}
