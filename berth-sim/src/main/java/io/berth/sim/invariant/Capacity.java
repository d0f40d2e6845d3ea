package io.berth.sim.invariant;

import io.berth.sim.cluster.ApiServer;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import java.util.TreeSet;

/// No node may be overfull in truth. Holds only where nobody but the scheduler gives pods their
/// nodes, nodes do not shrink and every failed write surely did not happen.
final class Capacity implements Invariant {
    private final Watched watched;

    Capacity(Watched watched) {
        this.watched = watched;
    }

    @Override
    public void afterChange() {
        if (watched.isStrict()) {
            check(watched.server());
        }
    }

    private static void check(ApiServer server) {
        for (var place : PlainCluster.of(server).places()) {
            var node = place.node();
            var has = node.allocatable();
            Broken.require(
                    place.pods().size() <= has.pods(),
                    "%s holds %d pods, but has room for %d",
                    node.name(),
                    place.pods().size(),
                    has.pods());
            var names = new TreeSet<>(java.util.List.of("cpu", "memory", "ephemeral-storage"));
            place.pods().forEach(pod -> names.addAll(pod.requests().exact().scalars().keySet()));
            for (var name : names) {
                long used =
                        place.pods().stream()
                                .mapToLong(pod -> pod.requests().exact().amount(name))
                                .sum();
                Broken.require(
                        used <= has.amount(name),
                        "%s is overfull: %d of %d %s: %s",
                        node.name(),
                        used,
                        has.amount(name),
                        name,
                        place.pods());
            }
            for (int i = 0; i < place.pods().size(); i++) {
                for (int j = 0; j < i; j++) {
                    var a = place.pods().get(i);
                    var b = place.pods().get(j);
                    Broken.require(
                            a.spec().hostPorts().stream()
                                    .noneMatch(port ->
                                            b.spec().hostPorts().stream()
                                                    .anyMatch(port::conflictsWith)),
                            "%s and %s want the same port of %s",
                            a,
                            b,
                            node.name());
                }
            }
        }
    }
}
