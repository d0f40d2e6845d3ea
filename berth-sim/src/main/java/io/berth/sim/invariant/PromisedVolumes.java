package io.berth.sim.invariant;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.plugins.volumebinding.VolumeBinding;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.PlainVolumes;
import io.berth.sim.plain.Promises;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A pod's claims get the volumes that a plain reading gives them, each volume is promised to one
/// claim at a time, and when all is at rest nothing is promised any more.
final class PromisedVolumes implements Invariant {
    private final Watched watched;
    private final Promises promises = new Promises();

    /// Uids of pods by the claim that they were placed with.
    private final Map<String, String> podByClaim = new HashMap<>();

    PromisedVolumes(Watched watched) {
        this.watched = watched;
    }

    Promises promises() {
        return promises;
    }

    @Override
    public void atChoice(Pod pod, String nodeName) {
        var names = PlainVolumes.claimNames(pod);
        if (names.isEmpty() || !watched.pluginsFor(pod).contains(VolumeBinding.NAME)) {
            return;
        }
        var engine = Inspection.of(watched.engine());
        var cluster = PlainCluster.of(engine.state().nodes().all(), engine.objects(), promises);
        var place = cluster.place(nodeName);
        if (place == null) {
            return;
        }
        names.forEach(name -> podByClaim.remove(pod.namespace() + "/" + name));
        if (!cluster.volumes().isUnclear(pod)) {
            cluster.volumes().promise(pod, place.node());
            names.forEach(name -> podByClaim.put(pod.namespace() + "/" + name, pod.uid()));
        }
    }

    @Override
    public void atReturn(Pod pod) {
        promises.takeBack(pod.uid());
    }

    /// Several pods may share a claim, so only the last one's is looked at.
    @Override
    public void atWrite(Write write) {
        if (write instanceof Write.ReserveVolume(var volume, var claim, _)) {
            var pod = podByClaim.get(claim.key());
            var expected = pod == null ? null : promises.volumeFor(pod, claim);
            Broken.require(
                    expected == null || expected.equals(volume.name()),
                    "%s is to get %s instead of %s",
                    claim.key(),
                    volume.name(),
                    expected);
        }
    }

    @Override
    public void atAnswer(Write write, @Nullable ClusterException failure) {
        if (failure == null) {
            promises.written(write);
        }
    }

    @Override
    public void atRest() {
        for (var profile : watched.engine().profiles().values()) {
            for (var plugin : profile.plugins()) {
                if (plugin instanceof VolumeBinding binding) {
                    Broken.require(
                            binding.assumedCount() == 0,
                            "volumes or claims are assumed for ever: %d",
                            binding.assumedCount());
                }
            }
        }
        promises.clear();
        podByClaim.clear();
    }
}
