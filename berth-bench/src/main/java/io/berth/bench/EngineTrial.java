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
import java.util.Map;

/// Measures what the engine alone needs for a pod of a scenario, with in-memory ports on one
/// thread: CPU time, which other work on the machine disturbs least, and allocated bytes.
final class EngineTrial {
    private static final Map<PodSpec, PodSpec> SPECS = new HashMap<>();

    /// How long it takes.
    ///
    /// @param warmUp pods before those that count, twice: once in a cluster that is thrown away
    record Size(int warmUp, int batch, int batches) {
        static final Size FULL = new Size(3_000, 200, 15);

        /// An attempt to preempt takes as long as dozens of others.
        Size of(Scenario scenario) {
            return scenario.preempts() ? new Size(warmUp / 10, batch / 10, batches) : this;
        }

        long pods(Scenario scenario) {
            var size = of(scenario);
            return 2L * size.warmUp + (long) size.batches * size.batch;
        }
    }

    /// Medians of the batches, and the best one.
    record Figures(double medianMicros, double bestMicros, long bytes) {}

    /// A pod has met another end than its scenario wants.
    static final class OtherOutcome extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OtherOutcome(String message) {
            super(message);
        }
    }

    private final Scenario scenario;
    private final int nodes;
    private final Size size;
    private final Progress progress;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    EngineTrial(Scenario scenario, int nodes, Size size, Progress progress) {
        this.scenario = scenario;
        this.nodes = nodes;
        this.size = size.of(scenario);
        this.progress = progress;
    }

    Figures measure() {
        // A life before the one that counts: the compiler needs a while on a machine with two
        // cores.
        place(cluster());
        var scheduler = cluster();
        place(scheduler);
        var micros = new double[size.batches];
        var bytes = new long[size.batches];
        for (int i = 0; i < size.batches; i++) {
            var pods = pods(scheduler, size.warmUp + i * size.batch);
            long cpu = threads.getCurrentThreadCpuTime();
            bytes[i] = allocatedFor(scheduler, pods) / size.batch;
            cpu = threads.getCurrentThreadCpuTime() - cpu;
            cpu += finish(scheduler, pods);
            micros[i] = cpu / 1e3 / size.batch;
            requireOutcome(scheduler, pods);
            progress.advance(size.batch);
        }
        Arrays.sort(micros);
        Arrays.sort(bytes);
        return new Figures(micros[size.batches / 2], micros[0], bytes[size.batches / 2]);
    }

    private List<Pod> pods(TestScheduler scheduler, int from) {
        var pods = new ArrayList<Pod>();
        for (int p = 0; p < size.batch; p++) {
            pods.add(sharing(scenario.pod().apply(from + p)));
        }
        for (var pod : pods) {
            scenario.surroundings().prepare(scheduler, pod);
        }
        scheduler.settle();
        return pods;
    }

    /// What the stand-in for the API server allocates for its own copy is not counted.
    private long allocatedFor(TestScheduler scheduler, List<Pod> pods) {
        long bytes = 0;
        for (var pod : pods) {
            scheduler.create(pod);
            long allocated = threads.getCurrentThreadAllocatedBytes();
            scheduler.settle();
            bytes += threads.getCurrentThreadAllocatedBytes() - allocated;
        }
        return bytes;
    }

    /// Does what others have to do for the pods, and lets the scheduler see it.
    ///
    /// @return the CPU time that the scheduler needs for it
    private long finish(TestScheduler scheduler, List<Pod> pods) {
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

    private TestScheduler cluster() {
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

    private void place(TestScheduler scheduler) {
        var batch = new ArrayList<Pod>();
        for (int i = 0; i < size.warmUp; i++) {
            var pod = sharing(scenario.pod().apply(i));
            scenario.surroundings().prepare(scheduler, pod);
            scheduler.create(pod);
            scheduler.settle();
            progress.advance(1);
            batch.add(pod);
            if (batch.size() == Size.FULL.batch) {
                finish(scheduler, batch);
                batch.clear();
            }
        }
    }

    /// Pods of one template share their spec, as they do when they come from the API server.
    private static Pod sharing(Pod pod) {
        return pod.toBuilder().spec(SPECS.computeIfAbsent(pod.spec(), spec -> spec)).build();
    }

    /// A benchmark that places nothing would be very fast.
    private void requireOutcome(TestScheduler scheduler, List<Pod> pods) {
        if (scenario.preempts()) {
            scheduler.pass(Duration.ofSeconds(2));
        }
        boolean isToBePlaced = scenario.outcome() != Scenario.Outcome.FITS_NOWHERE;
        for (var pod : pods) {
            if (scheduler.nodeOf(pod.key()).isEmpty() == isToBePlaced) {
                throw new OtherOutcome(
                        pod.key()
                                + (isToBePlaced
                                        ? " was not placed: " + scheduler.messageOf(pod.key())
                                        : " was placed."));
            }
        }
    }
}
