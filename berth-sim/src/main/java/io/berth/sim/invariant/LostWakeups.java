package io.berth.sim.invariant;

import io.berth.engine.queue.QueuedPodInfo;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.fault.Doorkeeper;

/// Wake-ups that the contract itself loses: the pod could be placed, but by the rules no event tells
/// it so, and it waits until it has been parked for five minutes (E-58).
final class LostWakeups {
    private LostWakeups() {}

    static boolean isKnown(QueuedPodInfo info, ApiServer server, Attempts attempts) {
        return isTurnedAway(info) || wasKeptOutByNominated(info, attempts);
    }

    /// A plugin that names no events (E-54).
    private static boolean isTurnedAway(QueuedPodInfo info) {
        return info.unschedulablePlugins().contains(Doorkeeper.NAME);
    }

    /// Pods nominated to a node keep others out (E-92). When they get another node, or lose a
    /// nomination that their status never told of, no event tells (E-67, E-68).
    private static boolean wasKeptOutByNominated(QueuedPodInfo info, Attempts attempts) {
        return !attempts.keptOutBy(info.pod().uid()).isEmpty();
    }
}
