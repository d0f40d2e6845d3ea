package io.berth.app.metrics;

import static io.berth.serving.metrics.Stability.ALPHA;

import io.berth.kube.lease.ElectionObserver;
import io.berth.serving.metrics.Counter;
import io.berth.serving.metrics.Definition;
import io.berth.serving.metrics.Family;
import io.berth.serving.metrics.Gauge;
import io.berth.serving.metrics.Registry;

/// The metrics of leader election (P-237). From any thread.
public final class ElectionSeries implements ElectionObserver {
    private final Family<Gauge> status;
    private final Family<Counter> slowPaths;

    ElectionSeries(Registry registry) {
        status =
                registry.gauge(
                        Definition.gauge(
                                "leader_election_master_status",
                                ALPHA,
                                "1 while this process leads by the lease of this name, 0 while it"
                                        + " stands by. Group by name.",
                                "name"));
        slowPaths =
                registry.counter(
                        Definition.counter(
                                "leader_election_slowpath_total",
                                ALPHA,
                                "Renewals that had to read the lease first.",
                                "name"));
    }

    @Override
    public void leads(String name, boolean leads) {
        status.with(name).set(leads ? 1 : 0);
    }

    @Override
    public void slowPath(String name) {
        slowPaths.with(name).add(1);
    }
}
