package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// What it costs a scheduler to be asked: batches of pods come to one process that stays up, and
/// with every second of them somebody asks why other pods wait.
final class Asked {
    private static final int PODS_PER_NODE = 12;
    private static final int WAITING = 8;
    private static final int WARM = 4;
    private static final int PAIRS = 6;
    private static final Duration ALONE = Duration.ofSeconds(20);

    private final ControlPlane plane;
    private final LoadCluster cluster;
    private final int nodes;
    private final int pods;
    private final int perSecond;
    private final Duration limit;

    Asked(
            ControlPlane plane,
            LoadCluster cluster,
            int nodes,
            int pods,
            int perSecond,
            Duration limit) {
        this.plane = plane;
        this.cluster = cluster;
        this.nodes = nodes;
        this.pods = pods;
        this.perSecond = perSecond;
        this.limit = limit;
    }

    /// What one batch took.
    private record Batch(double podsPerSecond, double cpuMillis) {}

    String table(ProgramContestant berth, Workload workload) throws Exception {
        System.err.printf(Locale.ROOT, "Creating %,d pods ...%n", nodes * PODS_PER_NODE);
        var bystanders =
                cluster.fill(
                        nodes * PODS_PER_NODE, i -> Workloads.pod("b" + i, "app-" + i % 500, ""));
        for (int i = 0; i < WAITING; i++) {
            cluster.createWaiting(bystanders, i);
        }
        try (var scheduler = berth.begin(plane)) {
            for (int i = 0; i < WARM; i++) {
                told("warm", batch(scheduler, workload));
            }
            var asker = new Asker(scheduler.api(), bystanders, WAITING, perSecond);
            try (var _ = asker.begin()) {
                Thread.sleep(ALONE);
            }
            var alone = asker.answers();
            var left = new ArrayList<Batch>();
            var asked = new ArrayList<Batch>();
            for (int i = 0; i < PAIRS; i++) {
                left.add(told("left alone", batch(scheduler, workload)));
                try (var _ = asker.begin()) {
                    asked.add(told("asked", batch(scheduler, workload)));
                }
            }
            return text(left, asked, alone, asker.answers());
        }
    }

    private static Batch told(String how, Batch batch) {
        System.err.printf(
                Locale.ROOT,
                "%s ... %.0f pods/s, %.2f ms of CPU each%n",
                how,
                batch.podsPerSecond,
                batch.cpuMillis);
        return batch;
    }

    private Batch batch(Contestant.Run scheduler, Workload workload) throws Exception {
        double before = scheduler.cpuSeconds();
        long begin = System.nanoTime();
        String namespace = cluster.create(workload, pods);
        try (var watch = new BindingWatch(plane, namespace, "0")) {
            watch.await(pods, limit, scheduler, _ -> {});
            return new Batch(
                    pods / ((watch.lastNanos() - begin) / 1e9),
                    (scheduler.cpuSeconds() - before) * 1e3 / pods);
        } finally {
            cluster.clean(workload, namespace);
        }
    }

    private static String text(
            List<Batch> left, List<Batch> asked, Asker.Answers alone, Asker.Answers busy) {
        var text = new StringBuilder("| | left alone | asked | ratio |\n|---|---|---|---|\n");
        double[] speeds = medians(left, asked, Batch::podsPerSecond);
        double[] cpu = medians(left, asked, Batch::cpuMillis);
        text.append(
                String.format(
                        Locale.ROOT,
                        "| pods/s | %.0f | %.0f | %.3f |%n| CPU ms/pod | %.2f | %.2f | %.2f |%n%n",
                        speeds[0],
                        speeds[1],
                        speeds[1] / speeds[0],
                        cpu[0],
                        cpu[1],
                        cpu[1] / cpu[0]));
        text.append("| answers | median ms | p99 ms | most ms | number | refused |\n");
        text.append("|---|---|---|---|---|---|\n");
        text.append(alone.line("while nothing comes")).append(busy.line("while pods come"));
        return text.toString();
    }

    private static double[] medians(
            List<Batch> one, List<Batch> other, ToDoubleFunction<Batch> figure) {
        return new double[] {median(one, figure), median(other, figure)};
    }

    private static double median(List<Batch> batches, ToDoubleFunction<Batch> figure) {
        var sorted = new ArrayList<>(batches.stream().map(figure::applyAsDouble).toList());
        Collections.sort(sorted);
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }
}
