package io.berth.sim.invariant;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.Inspection;
import io.berth.plugins.volumebinding.VolumeBinding;
import io.berth.sim.device.BookedClaims;
import io.berth.sim.plain.Broken;
import io.berth.sim.plain.PlainCluster;
import io.berth.sim.plain.PlainVolumes;
import io.berth.sim.plain.Promises;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pod's claims get the volumes that a plain reading gives them, each volume is promised to one
/// claim at a time, and when all is at rest nothing is promised any more.
final class PromisedVolumes implements Invariant {
    private final Watched watched;
    private final BookedClaims claims;
    private final Promises promises;

    /// Uids of pods that are being brought to their nodes, by the pod's key. A pod and another of
    /// its name, made after it was gone, may be so at once.
    private final Map<String, Set<String>> placed = new HashMap<>();

    PromisedVolumes(Watched watched) {
        this.watched = watched;
        this.claims = new BookedClaims(watched::engine);
        this.promises = new Promises(claims);
    }

    /// What is promised of devices.
    BookedClaims claims() {
        return claims;
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
        placed.computeIfAbsent(pod.key(), _ -> new LinkedHashSet<>()).add(pod.uid());
        if (!cluster.volumes().isUnclear(pod)) {
            cluster.volumes().promise(pod, place.node());
        }
    }

    @Override
    public void atReturn(Pod pod) {
        promises.takeBack(pod.uid());
        over(pod);
    }

    private void over(Pod pod) {
        placed.getOrDefault(pod.key(), new HashSet<>()).remove(pod.uid());
    }

    @Override
    public void atWrite(Write write) {
        if (write instanceof Write.ReserveVolume(var volume, var claim, _)) {
            var expected =
                    writers().stream()
                            .map(uid -> promises.volumeFor(uid, claim))
                            .filter(Objects::nonNull)
                            .toList();
            Broken.require(
                    expected.isEmpty() || expected.contains(volume.name()),
                    "%s is to get %s instead of %s",
                    claim.key(),
                    volume.name(),
                    expected);
        }
    }

    @Override
    public void atAnswer(Write write, @Nullable ClusterException failure) {
        if (failure == null) {
            promises.written(writers(), write);
            if (write instanceof Write.Bind(var pod, _)) {
                over(pod);
            }
        }
    }

    /// Uids of the pods for which something may be written now.
    private Set<String> writers() {
        // Such as `bind default/p1`, or `prepare default/p1 VolumeBinding`.
        var task = watched.task();
        int begin = task.indexOf(' ') + 1;
        int end = task.indexOf(' ', begin);
        return placed.getOrDefault(task.substring(begin, end < 0 ? task.length() : end), Set.of());
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
        placed.clear();
    }
}
