package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import io.berth.plugins.nodevolumelimits.NodeVolumeLimits;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.Promises;

/// No choice brings a node beyond what a driver can attach there, as far as the scheduler knew when
/// it chose.
final class VolumeLimits implements Invariant {
    private final Watched watched;

    VolumeLimits(Watched watched) {
        this.watched = watched;
    }

    @Override
    public void atChoice(Pod pod, String nodeName) {
        if (pod.spec().volumes().isEmpty()
                || !watched.pluginsFor(pod).contains(NodeVolumeLimits.NAME)) {
            return;
        }
        var engine = Inspection.of(watched.engine());
        var cluster =
                PlainCluster.of(engine.state().nodes().all(), engine.objects(), new Promises());
        var place = cluster.place(nodeName);
        var overfull = place == null ? null : cluster.volumes().overfull(pod, place);
        Broken.require(
                overfull == null,
                "%s was placed on %s, which takes no more volumes of %s",
                pod.key(),
                nodeName,
                overfull);
    }
}
