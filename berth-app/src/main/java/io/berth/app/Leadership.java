package io.berth.app;

import io.berth.api.handle.Log;
import io.berth.api.handle.Recorder;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.WriteGate;
import io.berth.kube.lease.ElectionClock;
import io.berth.kube.lease.ElectionThread;
import io.berth.kube.lease.HttpLeaseLock;
import io.berth.kube.lease.LeaderElector;
import io.berth.kube.lease.LeaseCandidate;
import io.berth.kube.write.EventRecorder;
import io.berth.kube.write.LegacyEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Whether this process may work: it leads, it waits, or it has lost.
///
/// Without an election it leads from [#start] on. With one it has a client of its own, so that
/// neither a flood of bindings nor a slow server holds up a renewal (P-124, P-128). Thread-safe.
final class Leadership implements AutoCloseable {
    /// What becomes of it. Calls may block.
    interface Listener {
        /// This process leads from now on. Called at most once.
        void leads();

        /// Another process may lead from now on. Not called after [Leadership#close].
        void lost(Loss how);
    }

    private final @Nullable ApiClient client;
    private final @Nullable LeaderElector elector;
    private final @Nullable LeaseCandidate candidate;
    private @Nullable ElectionThread thread;
    private volatile boolean leads;

    private Leadership(
            @Nullable ApiClient client,
            @Nullable LeaderElector elector,
            @Nullable LeaseCandidate candidate) {
        this.client = client;
        this.elector = elector;
        this.candidate = candidate;
    }

    /// The only process of its kind.
    static Leadership undisputed() {
        return new Leadership(null, null, null);
    }

    /// One of several.
    static Leadership contested(Election election, Setup setup, EventRecorder recorder, Log log) {
        var settings = election.settings();
        var client =
                new ApiClient(
                        setup.connection(),
                        setup.client().forElection(settings.times().requestTimeout()));
        var lock = new HttpLeaseLock(client, settings.namespace(), settings.name());
        var random = RandomGenerator.of("L64X128MixRandom");
        var elector =
                new LeaderElector(
                        settings,
                        lock,
                        ElectionClock.SYSTEM,
                        random,
                        election.observer(),
                        message -> recorder.record(event(lock, message, election.component())),
                        log);
        var candidate =
                settings.coordinated()
                        ? new LeaseCandidate(
                                client,
                                new LeaseCandidate.Offer(
                                        settings.namespace(),
                                        settings.identity(),
                                        settings.name(),
                                        Version.KUBERNETES.substring(1),
                                        election.emulationVersion()),
                                InstantSource.system(),
                                random,
                                log)
                        : null;
        return new Leadership(client, elector, candidate);
    }

    private static LegacyEvent event(HttpLeaseLock lock, String message, String component) {
        var lease = lock.reference();
        return new LegacyEvent(
                new LegacyEvent.Subject(
                        "Lease",
                        "coordination.k8s.io/v1",
                        lease.namespace(),
                        lease.name(),
                        lease.uid(),
                        lease.resourceVersion()),
                Recorder.Type.NORMAL,
                "LeaderElection",
                message,
                component);
    }

    boolean isContested() {
        return elector != null;
    }

    /// What every write has to pass.
    WriteGate gate() {
        return elector == null ? WriteGate.OPEN : elector.fence();
    }

    /// For how much longer a write that was sent may be under way.
    Duration leftForWritesSent() {
        return elector == null ? Duration.ZERO : elector.fence().leftForWritesSent();
    }

    /// Whether this process has ever led; once true, it stays so (P-231).
    boolean isLeader() {
        return leads;
    }

    /// The health check `leaderElection`: what is wrong, if anything (P-236).
    Optional<String> problem() {
        return elector == null ? Optional.empty() : elector.problem();
    }

    /// The readiness check `informer-sync` of a coordinated election (P-240).
    boolean isCandidateSynced() {
        return candidate == null || candidate.isSynced();
    }

    /// Makes this process known to a coordinated election.
    void offer() {
        if (candidate != null) {
            candidate.start();
        }
    }

    /// Begins to compete.
    synchronized void start(Listener listener) {
        if (elector == null) {
            leads = true;
            listener.leads();
            return;
        }
        thread =
                new ElectionThread(
                        elector,
                        new ElectionThread.Listener() {
                            @Override
                            public void startedLeading() {
                                leads = true;
                                listener.leads();
                            }

                            @Override
                            public void stoppedLeading(LeaderElector.Phase last) {
                                if (last == LeaderElector.Phase.LAPSED) {
                                    listener.lost(Loss.LAPSED);
                                } else if (last != LeaderElector.Phase.STOPPED) {
                                    listener.lost(Loss.TAKEN);
                                }
                            }
                        });
        thread.start();
    }

    /// Ends the leadership and lets go of the lease, so that another can take over at once.
    @Override
    public synchronized void close() {
        if (candidate != null) {
            candidate.close();
        }
        if (thread != null) {
            thread.close();
        }
        if (elector != null) {
            elector.fence().close();
        }
        if (client != null) {
            client.close();
        }
    }
}
