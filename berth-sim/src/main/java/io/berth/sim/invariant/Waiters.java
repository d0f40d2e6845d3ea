package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.engine.framework.PluginFailure;
import io.berth.engine.profile.Profile;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.engine.queue.SubQueue;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.SimulatedExtender;
import io.berth.sim.plain.Broken;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/// No pod waits that could be placed, except for those whom the contract itself does not wake.
final class Waiters implements Invariant {
    private final Watched watched;
    private final Attempts attempts;

    Waiters(Watched watched, Attempts attempts) {
        this.watched = watched;
        this.attempts = attempts;
    }

    @Override
    public void atRest() {
        checkNobodyCouldBePlaced(info -> LostWakeups.isKnown(info, watched.server(), attempts));
    }

    /// Every pod has been tried anew, so there is no excuse any more but a shut door, pods that are
    /// nominated to what is free, or a pod that was tried with it, took a place and gave it back
    /// later: affinity, volumes and devices miss that as they do at other times (IP-13, VB-19,
    /// DR-22).
    @Override
    public void afterFlush() {
        checkNobodyCouldBePlaced(info ->
                info.unschedulablePlugins().contains(Doorkeeper.NAME)
                        || LostWakeups.isKeptOut(info, attempts)
                        || LostWakeups.wereVolumesPromised(info, attempts)
                        || LostWakeups.wereDevicesInFlight(info, attempts)
                        || info.unschedulablePlugins().contains("InterPodAffinity")
                                && LostWakeups.isKnown(info, watched.server(), attempts));
    }

    /// Nodes that could take the pod now, by the engine's own word and that of the extenders.
    static Set<String> possibleNodes(Engine engine, Pod pod) {
        var profile = engine.profiles().get(pod.spec().schedulerName());
        var possible = new HashSet<String>();
        if (profile != null) {
            for (var name : nodesFor(profile, pod)) {
                var node = Inspection.of(engine).state().node(name);
                if (node != null && !SimulatedExtender.keepsOut(pod, node)) {
                    possible.add(name);
                }
            }
        }
        return possible;
    }

    /// Nobody knows what all devices of a pool are while it is published (DR-31): an attempt ends
    /// with an error then, and so does the question.
    private static Set<String> nodesFor(Profile profile, Pod pod) {
        try {
            return profile.explain(pod).totals().keySet();
        } catch (PluginFailure unknown) {
            if (pod.spec().resourceClaims().isEmpty()) {
                throw unknown;
            }
            return Set.of();
        }
    }

    private void checkNobodyCouldBePlaced(Predicate<QueuedPodInfo> excuse) {
        var engine = watched.engine();
        for (var info : Inspection.of(engine).queue().pending()) {
            if (info.subQueue() != SubQueue.PARKED || isGated(info)) {
                continue;
            }
            var profile = engine.profiles().get(info.profile());
            if (profile == null) {
                continue;
            }
            // Who is excused need not be asked about, which is dear.
            var possible = excuse.test(info) ? Set.<String>of() : possibleNodes(engine, info.pod());
            if (!possible.isEmpty()) {
                throw new Broken(
                        "%s waits, refused by %s, though it could go to %s"
                                .formatted(info.key(), info.unschedulablePlugins(), possible));
            }
        }
    }

    private static boolean isGated(QueuedPodInfo info) {
        return !info.pod().spec().schedulingGates().isEmpty();
    }
}
