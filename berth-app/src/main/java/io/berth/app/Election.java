package io.berth.app;

import io.berth.kube.lease.ElectionObserver;
import io.berth.kube.lease.ElectionSettings;
import io.berth.kube.lease.ElectionTimes;
import io.berth.kube.lease.Identity;
import io.berth.kube.lease.LockTypes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/// How this process competes with others for the leadership.
///
/// @param component who speaks in events about the lease: the first profile's name (P-156)
/// @param delaysCaches whether nothing is watched before this process leads (P-139)
/// @param emulationVersion the version to offer in a coordinated election
record Election(
        ElectionSettings settings,
        String component,
        boolean delaysCaches,
        String emulationVersion,
        ElectionObserver observer) {

    /// The same election, told to somebody who counts.
    Election observedBy(ElectionObserver other) {
        return new Election(settings, component, delaysCaches, emulationVersion, other);
    }

    /// What the configuration says; empty where it is the only process of its kind.
    ///
    /// @throws io.berth.kube.connection.ConfigException where no election works like that (P-221)
    static Optional<Election> of(Setup setup) {
        var wanted = setup.configuration().leaderElection();
        if (!wanted.leaderElect()) {
            return Optional.empty();
        }
        LockTypes.check(wanted.resourceLock());
        var gates = setup.options().gates();
        return Optional.of(
                new Election(
                        new ElectionSettings(
                                wanted.resourceNamespace(),
                                wanted.resourceName(),
                                Identity.of(hostName()),
                                new ElectionTimes(
                                        wanted.leaseDuration(),
                                        wanted.renewDeadline(),
                                        wanted.retryPeriod()),
                                gates.isOn("CoordinatedLeaderElection")),
                        setup.engine().profiles().getFirst().schedulerName(),
                        setup.configuration().delayCacheUntilActive(),
                        gates.versions().emulation() + ".0",
                        ElectionObserver.NONE));
    }

    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
