package io.berth.bench;

import com.sun.management.ThreadMXBean;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.Progress;
import io.berth.testkit.TestScheduler;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Prints what the engine alone needs per pod, with in-memory ports on one thread: CPU time (which
/// other work on the machine disturbs least) and allocated bytes, all nodes judged.
///
/// Usage: `EngineFigures [nodes] [scenario name part]`
public final class EngineFigures {
    private static final int WARM_UP = 3_000;
    private static final int BATCH = 200;
    private static final int BATCHES = 15;
    private static final int REFERENCE_NODES = 5_000;

    private static final Map<PodSpec, PodSpec> SPECS = new HashMap<>();

    private EngineFigures() {}

    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : REFERENCE_NODES;
        String only = args.length > 1 ? args[1] : "";
        var scenarios = Scenarios.all().stream().filter(one -> one.name().contains(only)).toList();
        if (scenarios.isEmpty()) {
            end("No scenario's name contains \"%s\".".formatted(only));
        }
        System.out.printf(
                Locale.ROOT,
                "%d nodes, engine alone, one thread; CPU time per pod, median of %d batches of %d%n%n",
                nodes,
                BATCHES,
                BATCH);
        System.out.println("| workload | µs per pod | best | at most | bytes per pod |");
        System.out.println("|---|---|---|---|---|");
        var progress = Progress.onStandardError("pods", podsOf(scenarios));
        for (var scenario : scenarios) {
            progress.begin(scenario.name());
            Figures figures;
            try {
                figures = measure(scenario, nodes, progress);
            } catch (NoRoom full) {
                progress.clear();
                end(
                        "%s: %s Are %d nodes enough?"
                                .formatted(scenario.name(), full.getMessage(), nodes));
                return;
            }
            progress.clear();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.0f | %d |%n",
                    scenario.name(),
                    figures.medianMicros,
                    figures.bestMicros,
                    scenario.limitMicros() * limitFactor(nodes),
                    figures.bytes);
        }
    }

    private static long podsOf(List<Scenario> scenarios) {
        return scenarios.stream()
                .mapToLong(one -> 2L * warmUp(one) + (long) BATCHES * batch(one))
                .sum();
    }

    private static boolean preempts(Scenario scenario) {
        return scenario.boundPods() < 0;
    }

    private static int warmUp(Scenario scenario) {
        return preempts(scenario) ? 300 : WARM_UP;
    }

    private static int batch(Scenario scenario) {
        return preempts(scenario) ? BATCH / 10 : BATCH;
    }

    private static double limitFactor(int nodes) {
        return nodes <= REFERENCE_NODES ? 1 : 1.2 * nodes / REFERENCE_NODES;
    }

    private record Figures(double medianMicros, double bestMicros, long bytes) {}

    private static Figures measure(Scenario scenario, int nodes, Progress progress) {
        int warmUp = warmUp(scenario);
        // A life before the one that counts: the compiler needs a while on a machine with two
        // cores.
        place(cluster(scenario, nodes), scenario, warmUp, progress);
        var scheduler = cluster(scenario, nodes);
        place(scheduler, scenario, warmUp, progress);
        int made = warmUp;
        var micros = new double[BATCHES];
        var bytes = new long[BATCHES];
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int batch = batch(scenario);
        for (int i = 0; i < BATCHES; i++) {
            var pods = new Pod[batch];
            for (int p = 0; p < batch; p++) {
                pods[p] = sharing(scenario.pod().apply(made + p));
            }
            for (var pod : pods) {
                scenario.surroundings().prepare(scheduler, pod);
            }
            scheduler.settle();
            long cpu = threads.getCurrentThreadCpuTime();
            for (var pod : pods) {
                scheduler.create(pod);
                // What the stand-in for the API server allocates for its own copy is not counted.
                long allocated = threads.getCurrentThreadAllocatedBytes();
                scheduler.settle();
                bytes[i] += threads.getCurrentThreadAllocatedBytes() - allocated;
            }
            cpu = threads.getCurrentThreadCpuTime() - cpu;
            cpu += finish(scheduler, scenario, List.of(pods), threads);
            micros[i] = cpu / 1e3 / batch;
            bytes[i] /= batch;
            requirePlaced(scheduler, pods, preempts(scenario));
            made += batch;
            progress.advance(batch);
        }
        Arrays.sort(micros);
        Arrays.sort(bytes);
        return new Figures(micros[BATCHES / 2], micros[0], bytes[BATCHES / 2]);
    }

    /// Does what others have to do for the pods, and lets the scheduler see it.
    ///
    /// @return the CPU time that the scheduler needs for it
    private static long finish(
            TestScheduler scheduler, Scenario scenario, List<Pod> pods, ThreadMXBean threads) {
        boolean isWaiting = false;
        for (var pod : pods) {
            isWaiting |= scenario.surroundings().answer(scheduler, pod);
        }
        if (!isWaiting) {
            return 0;
        }
        long begun = threads.getCurrentThreadCpuTime();
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(1));
        return threads.getCurrentThreadCpuTime() - begun;
    }

    private static TestScheduler cluster(Scenario scenario, int nodes) {
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        settings -> settings.withFeatures(scenario.surroundings().features()),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        for (int i = 0; i < nodes; i++) {
            scheduler.add(scenario.node().apply(i));
            scheduler.settle();
        }
        scenario.surroundings().furnish(scheduler, nodes);
        int bound = scenario.boundPods() < 0 ? -scenario.boundPods() * nodes : scenario.boundPods();
        for (int i = 0; i < bound; i++) {
            var pod = sharing(scenario.bound().apply(i));
            scenario.surroundings().prepare(scheduler, pod);
            scheduler.create(pod.onNode("node-" + i % nodes));
            scheduler.settle();
        }
        return scheduler;
    }

    private static void place(
            TestScheduler scheduler, Scenario scenario, int count, Progress progress) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var batch = new ArrayList<Pod>();
        for (int i = 0; i < count; i++) {
            var pod = sharing(scenario.pod().apply(i));
            scenario.surroundings().prepare(scheduler, pod);
            scheduler.create(pod);
            scheduler.settle();
            progress.advance(1);
            batch.add(pod);
            if (batch.size() == BATCH) {
                finish(scheduler, scenario, batch, threads);
                batch.clear();
            }
        }
    }

    /// Pods of one template share their spec, as they do when they come from the API server.
    private static Pod sharing(Pod pod) {
        return pod.toBuilder().spec(SPECS.computeIfAbsent(pod.spec(), spec -> spec)).build();
    }

    /// A benchmark that places nothing would be very fast.
    private static void requirePlaced(TestScheduler scheduler, Pod[] pods, boolean preempts) {
        if (preempts) {
            scheduler.pass(Duration.ofSeconds(2));
        }
        for (var pod : pods) {
            if (scheduler.nodeOf(pod.key()).isEmpty()) {
                throw new NoRoom(pod.key() + " was not placed: " + scheduler.messageOf(pod.key()));
            }
        }
    }

    private static final class NoRoom extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoRoom(String message) {
            super(message);
        }
    }

    private static void end(String sentence) {
        System.err.println("berth-bench/figures: " + sentence);
        System.exit(1);
    }
}
