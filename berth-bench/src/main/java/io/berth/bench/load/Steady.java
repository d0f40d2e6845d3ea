package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How much CPU a scheduler takes for a pod when it has been up for a while: batches of pods come,
/// are placed and go, until the figure levels off.
final class Steady {
    /// A process is young before it has placed so many pods.
    private static final int YOUTH = 20_000;

    private static final int MOST_BATCHES = 16;
    private static final int ALIKE = 3;
    private static final double WITHIN = 0.07;

    private final ControlPlane plane;
    private final LoadCluster cluster;
    private final int pods;
    private final Duration limit;

    Steady(ControlPlane plane, LoadCluster cluster, int pods, Duration limit) {
        this.plane = plane;
        this.cluster = cluster;
        this.pods = pods;
        this.limit = limit;
    }

    /// One line for each batch, one column for each scheduler.
    String table(List<? extends Contestant> schedulers, Workload workload) throws Exception {
        var columns = new ArrayList<List<Double>>();
        for (var scheduler : schedulers) {
            columns.add(batches(scheduler, workload));
        }
        var text = new StringBuilder("| batch |");
        schedulers.forEach(one -> text.append(' ').append(one.name()).append(" |"));
        text.append("\n|").append("---|".repeat(1 + schedulers.size())).append('\n');
        int lines = columns.stream().mapToInt(List::size).max().orElse(0);
        for (int line = 0; line < lines; line++) {
            text.append("| ").append(line + 1).append(" |");
            for (var column : columns) {
                text.append(
                        line < column.size()
                                ? String.format(Locale.ROOT, " %.2f |", column.get(line))
                                : " |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    private List<Double> batches(Contestant contestant, Workload workload) throws Exception {
        var millis = new ArrayList<Double>();
        String first = cluster.prepare(workload, 0);
        try (var scheduler = contestant.start(plane, first)) {
            while (millis.size() < MOST_BATCHES && !isLevel(millis)) {
                millis.add(batch(scheduler, workload));
                System.err.printf(
                        Locale.ROOT,
                        "%s, batch %d: %s ... %.2f ms of CPU a pod%n",
                        workload.name(),
                        millis.size(),
                        contestant.name(),
                        millis.getLast());
            }
        } finally {
            cluster.clean(workload, first);
            cluster.withdraw(workload);
        }
        return millis;
    }

    private double batch(Contestant.Run scheduler, Workload workload) throws Exception {
        double before = scheduler.cpuSeconds();
        String namespace = cluster.create(workload, pods);
        try (var watch = new BindingWatch(plane, namespace, "0");
                var _ =
                        workload.storage() == Storage.WAITING
                                ? new Provisioner(plane, namespace)
                                : null) {
            watch.await(pods, limit, scheduler, _ -> {});
        } finally {
            // Their going is part of a pod's life, and so of the next batch's figure.
            cluster.clean(workload, namespace);
        }
        return (scheduler.cpuSeconds() - before) * 1e3 / pods;
    }

    private boolean isLevel(List<Double> millis) {
        if (millis.size() < ALIKE + 1 || (long) millis.size() * pods < YOUTH) {
            return false;
        }
        var last = millis.subList(millis.size() - ALIKE, millis.size());
        double most = last.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        double least = last.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        return most <= least * (1 + WITHIN);
    }
}
