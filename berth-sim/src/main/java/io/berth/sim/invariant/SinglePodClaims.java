package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import io.berth.plugins.volumerestrictions.VolumeRestrictions;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.Promises;

/// No claim that is for a single pod gets a second one, as far as the scheduler knew when it chose.
final class SinglePodClaims implements Invariant {
    private final Watched watched;

    SinglePodClaims(Watched watched) {
        this.watched = watched;
    }

    @Override
    public void atChoice(Pod pod, String nodeName) {
        if (pod.spec().volumes().isEmpty()
                || !watched.pluginsFor(pod).contains(VolumeRestrictions.NAME)) {
            return;
        }
        var engine = Inspection.of(watched.engine());
        var cluster =
                PlainCluster.of(engine.state().nodes().all(), engine.objects(), new Promises());
        var shared = cluster.volumes().sharedAgainstTheirMode(cluster, pod);
        Broken.require(
                shared.isEmpty(),
                "%s was placed on %s, though another pod has %s",
                pod.key(),
                nodeName,
                shared);
    }
}
