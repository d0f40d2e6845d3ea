package io.berth.bench.load;

import io.berth.e2e.ControlPlane;
import io.berth.testkit.Progress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One scheduler, one workload, once: cold, or after it has placed other pods of the workload.
///
/// The first pods are there when the scheduler starts, so that the figures are the scheduler's and
/// not those of the client that creates pods.
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

    /// @param before so many pods are placed first and do not count; where there are none, the
    ///   start of the process does
    Sample run(Contestant contestant, Workload workload, int before, int pods) throws Exception {
        int first = before == 0 ? pods : before;
        String namespace = cluster.prepare(workload, first);
        try (var watch = new BindingWatch(plane, namespace, cluster.version(namespace));
                var _ = provisioner(workload, namespace)) {
            var start = Reading.atStart(plane);
            try (var scheduler = contestant.start(plane, namespace);
                    var _ = churn(workload)) {
                await(watch, first, scheduler);
                if (before == 0) {
                    return sample(scheduler, watch, start, pods);
                }
                if (workload.makesRoom()) {
                    cluster.makeRoom(namespace);
                }
                return runOn(scheduler, workload, pods);
            }
        } finally {
            cluster.clean(workload, namespace);
            cluster.withdraw(workload);
        }
    }

    /// Pods come to a scheduler that runs.
    private Sample runOn(Contestant.Run scheduler, Workload workload, int pods) throws Exception {
        var start = Reading.of(plane, scheduler);
        String namespace = cluster.announce(workload, pods);
        try (var watch = new BindingWatch(plane, namespace, "0");
                var _ = provisioner(workload, namespace)) {
            scheduler.serve(namespace);
            cluster.create(workload, namespace, pods);
            await(watch, pods, scheduler);
            return sample(scheduler, watch, start, pods);
        } finally {
            cluster.clean(workload, namespace);
        }
    }

    private void await(BindingWatch watch, int pods, Contestant.Run scheduler)
            throws InterruptedException {
        try {
            watch.await(pods, limit, scheduler, this::bound);
        } finally {
            podsBefore += pods;
            progress.reach(podsBefore);
        }
    }

    private @Nullable Provisioner provisioner(Workload workload, String namespace) {
        return workload.storage() == Storage.WAITING ? new Provisioner(plane, namespace) : null;
    }

    private @Nullable AutoCloseable churn(Workload workload) {
        return workload.churns() ? cluster.churn() : null;
    }

    private void bound(int count) {
        progress.reach(podsBefore + count);
    }

    private Sample sample(Contestant.Run scheduler, BindingWatch watch, Reading start, int pods) {
        var end = Reading.of(plane, scheduler);
        return new Sample(
                (pods - 1) / ((watch.lastNanos() - watch.firstNanos()) / 1e9),
                (end.schedulerCpuSeconds() - start.schedulerCpuSeconds()) * 1e3 / pods,
                (end.apiServerCpuSeconds() - start.apiServerCpuSeconds()) * 1e3 / pods,
                end.attempts().since(start.attempts()).meanMicros(),
                scheduler.peakRssMib(),
                (watch.firstNanos() - start.nanos()) / 1e9,
                (watch.lastNanos() - start.nanos()) / 1e9);
    }
}
