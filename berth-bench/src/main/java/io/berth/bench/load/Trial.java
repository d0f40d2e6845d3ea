package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import io.berth.e2e.SchedulerProcess;
import io.berth.e2e.SchedulerProgram;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/// One scheduler, one workload, once. The pods are there when the scheduler starts, so that the
/// figures are the scheduler's and not those of the client that creates pods.
final class Trial {
    private static final Pattern ALGORITHM =
            Pattern.compile(
                    "(?m)^scheduler_scheduling_algorithm_duration_seconds_(sum|count) (\\S+)$");
    private static final String[] FLAGS = {
        "--leader-elect=false", "--kube-api-qps=5000", "--kube-api-burst=5000"
    };

    private final ControlPlane plane;
    private final LoadCluster cluster;
    private final Duration limit;

    Trial(ControlPlane plane, LoadCluster cluster, Duration limit) {
        this.plane = plane;
        this.cluster = cluster;
        this.limit = limit;
    }

    Sample run(SchedulerProgram program, Workload workload, int pods) throws Exception {
        String namespace = cluster.prepare(workload, pods);
        double apiServerBefore = ProcessFacts.of(plane.apiServer().pid()).cpuSeconds();
        var ended = new AtomicBoolean();
        try (var watch = new BindingWatch(plane, namespace, cluster.version(namespace))) {
            long start = System.nanoTime();
            try (var scheduler = plane.start(program, FLAGS)) {
                Thread churn = workload.churns() ? cluster.churn(ended) : null;
                boolean done = watch.await(pods, limit.toNanos());
                ended.set(true);
                if (churn != null) {
                    churn.join();
                }
                if (!done) {
                    throw new IllegalStateException(
                            "only %d of %d pods were placed within %d s%n%s"
                                    .formatted(
                                            watch.count(),
                                            pods,
                                            limit.toSeconds(),
                                            scheduler.process().logTail()));
                }
                return sample(scheduler, watch, start, apiServerBefore, pods);
            }
        } finally {
            ended.set(true);
            cluster.clean(namespace);
        }
    }

    private Sample sample(
            SchedulerProcess scheduler, BindingWatch watch, long start, double before, int pods) {
        var facts = ProcessFacts.of(scheduler.process().pid());
        double apiServer = ProcessFacts.of(plane.apiServer().pid()).cpuSeconds() - before;
        return new Sample(
                (pods - 1) / ((watch.lastNanos() - watch.firstNanos()) / 1e9),
                facts.cpuSeconds() * 1e3 / pods,
                apiServer * 1e3 / pods,
                algorithmMicros(scheduler),
                facts.peakRssBytes() / (double) (1 << 20),
                (watch.firstNanos() - start) / 1e9,
                (watch.lastNanos() - start) / 1e9);
    }

    private static double algorithmMicros(SchedulerProcess scheduler) {
        var matcher = ALGORITHM.matcher(scheduler.api().get("/metrics").body().asText());
        double sum = 0;
        double count = 0;
        while (matcher.find()) {
            double value = Double.parseDouble(matcher.group(2));
            if (matcher.group(1).equals("sum")) {
                sum += value;
            } else {
                count += value;
            }
        }
        return count == 0 ? Double.NaN : sum * 1e6 / count;
    }
}
