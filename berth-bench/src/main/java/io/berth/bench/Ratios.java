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
/// Times differ between machines and hours, ratios of CPU times of one thread much less, where code
/// is compiled before the thread goes on (`-Xbatch`). Where a ratio exceeds its bound, both of its
/// sides are measured again and the least of each counts: what really is slow stays slow.
public final class Ratios {
    private static final String LOOP = "a loop";
    private static final int TRIES = 3;
    private static final int NODES = 2_000;
    private static final int MANY_NODES = 20_000;
    private static final Size SHORT = new Size(1_500, 100, 9);
    private static final Size FEW = new Size(400, 20, 9);

    private final Map<String, Double> leastMicros = new HashMap<>();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Ratios() {}

    /// One cost beside another.
    ///
    /// @param nodes how many the first is measured with
    private record Question(String scenario, int nodes, String beside, double atMost) {}

    private static final Question[] QUESTIONS = {
        new Question("equal pods", MANY_NODES, "equal pods", 9),
        new Question("40 shapes interleaved", NODES, "equal pods", 5.5),
        new Question("affinity on zone", NODES, "equal pods", 5),
        new Question("spread over zones, hard", NODES, "equal pods", 4.5),
        new Question("spread over zones, soft", NODES, "equal pods", 4.5),
        new Question("40 mixed deployments", NODES, "equal pods", 7),
        new Question("daemon pods", NODES, "equal pods", 5.5),
        new Question("a shape for every pod", NODES, LOOP, 80),
        new Question("pods that fit nowhere", NODES, LOOP, 45),
        new Question("preemption, four victims", NODES, LOOP, 175),
        new Question("equal pods", NODES, LOOP, 2),
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
        var ratio = ratio(question);
        for (int tried = 1; tried < TRIES && !ratio.isKept(); tried++) {
            measure(question.scenario, question.nodes);
            measure(question.beside, NODES);
            ratio = ratio(question);
        }
        return ratio;
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
        var key = key(name, nodes);
        if (!leastMicros.containsKey(key)) {
            measure(name, nodes);
        }
        return leastMicros.getOrDefault(key, Double.NaN);
    }

    private void measure(String name, int nodes) {
        double micros = name.equals(LOOP) ? loopMicros() : scenarioMicros(name, nodes);
        leastMicros.merge(key(name, nodes), micros, Math::min);
    }

    private static String key(String name, int nodes) {
        return name + " " + nodes;
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
                .bestMicros();
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
        return micros[0];
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
