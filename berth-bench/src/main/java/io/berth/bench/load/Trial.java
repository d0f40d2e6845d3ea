package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import io.berth.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One scheduler, one workload, once. The pods are there when the scheduler starts, so that the
/// figures are the scheduler's and not those of the client that creates pods.
final class Trial {
    private final ControlPlane plane;
    private final LoadCluster cluster;
    private final Duration limit;
    private final Progress progress;
    private long podsBefore;

    Trial(ControlPlane plane, LoadCluster cluster, Duration limit, Progress progress) {
        this.plane = plane;
        this.cluster = cluster;
        this.limit = limit;
        this.progress = progress;
    }

    Sample run(Contestant contestant, Workload workload, int pods) throws Exception {
        String namespace = cluster.prepare(workload, pods);
        double apiServerBefore = ProcessFacts.of(plane.apiServer().pid()).cpuSeconds();
        var ended = new AtomicBoolean();
        try (var watch = new BindingWatch(plane, namespace, cluster.version(namespace));
                var _ = provisioner(workload, namespace)) {
            long start = System.nanoTime();
            try (var scheduler = contestant.start(plane, namespace)) {
                Thread churn = workload.churns() ? cluster.churn(ended) : null;
                boolean done = watch.await(pods, limit.toNanos(), this::bound);
                ended.set(true);
                if (churn != null) {
                    churn.join();
                }
                if (!done) {
                    throw watch.missing(pods, limit, scheduler);
                }
                return sample(scheduler, watch, start, apiServerBefore, pods);
            }
        } finally {
            ended.set(true);
            podsBefore += pods;
            progress.reach(podsBefore);
            cluster.clean(workload, namespace);
            cluster.withdraw(workload);
        }
    }

    private @Nullable Provisioner provisioner(Workload workload, String namespace) {
        return workload.storage() == Storage.WAITING ? new Provisioner(plane, namespace) : null;
    }

    private void bound(int count) {
        progress.reach(podsBefore + count);
    }

    private Sample sample(
            Contestant.Run scheduler, BindingWatch watch, long start, double before, int pods) {
        double apiServer = ProcessFacts.of(plane.apiServer().pid()).cpuSeconds() - before;
        return new Sample(
                (pods - 1) / ((watch.lastNanos() - watch.firstNanos()) / 1e9),
                scheduler.cpuSeconds() * 1e3 / pods,
                apiServer * 1e3 / pods,
                scheduler.algorithmMicros(),
                scheduler.peakRssMib(),
                (watch.firstNanos() - start) / 1e9,
                (watch.lastNanos() - start) / 1e9);
    }
}
