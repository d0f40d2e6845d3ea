package io.berth.app;

import io.berth.api.model.Kind;
import io.berth.api.model.PodSpec;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.PluginFactory;
import io.berth.app.log.HushableLog;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.EngineThread;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.Connection;
import io.berth.kube.watch.WatchState;
import io.berth.kube.write.EventRecorder;
import io.berth.kube.write.HttpClusterWrites;
import io.berth.plugins.InTree;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Builds a scheduler by hand and runs it until it is closed.
///
/// Parts are built from the outside in and started in the order in which a pod meets them; they are
/// closed the other way round.
public final class Wiring implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private final HushableLog log;
    private final ApiClient client;
    private final ApiClient eventClient;
    private final EventRecorder recorder;
    private final Leadership leadership;
    private final PoolWorkers workers;
    private final Engine engine;
    private final EngineThread thread;
    private final Caches caches;
    private final Thread beginning;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();

    private Wiring(
            Connection connection,
            ClientOptions options,
            List<PluginFactory> more,
            Optional<Election> election,
            Log log,
            Consumer<Throwable> faults) {
        this.log = new HushableLog(log);
        // Events have a rate of their own, so that a flood of them holds up no binding. They need
        // not pass the gate: what they tell has happened.
        this.eventClient = new ApiClient(connection, options);
        this.recorder = new EventRecorder(eventClient, hostName());
        this.leadership =
                election.map(one ->
                                Leadership.contested(one, connection, options, recorder, this.log))
                        .orElseGet(Leadership::undisputed);
        this.client = new ApiClient(connection, options, leadership.gate());
        this.workers = new PoolWorkers(Runtime.getRuntime().availableProcessors());
        this.engine =
                new Engine(EngineSettings.of(List.of(profile(more))), registry(more), ports());
        this.thread = new EngineThread(engine, faults);
        // A process that does not lead follows the cluster, but places nothing.
        engine.pause(true);
        thread.start();
        this.caches = new Caches(client, EnumSet.allOf(Kind.class), engine, this.log);
        boolean delayed = election.isPresent() && election.get().delaysCaches();
        this.beginning = Thread.ofVirtual().name("begin").start(() -> begin(delayed));
    }

    /// Follows the cluster, then competes: who takes over can begin at once (P-230, P-255).
    private void begin(boolean delayed) {
        leadership.offer();
        if (delayed || caches.fill()) {
            leadership.start(
                    new Leadership.Listener() {
                        @Override
                        public void leads() {
                            lead(delayed);
                        }

                        @Override
                        public void lost() {
                            engine.pause(true);
                            lost.complete(null);
                        }
                    });
        }
    }

    private void lead(boolean delayed) {
        if (delayed) {
            log.info(0, "Starting informers and waiting for sync...");
            caches.fill();
            log.info(0, "Sync completed");
        }
        engine.pause(false);
    }

    /// Starts a scheduler with the default profile.
    ///
    /// @param more plugins beside those that Berth brings along; they come last in the profile
    /// @param election how it competes with others; empty where it is the only one
    /// @param faults told of our own mistakes, after they have been logged
    public static Wiring start(
            Connection connection,
            ClientOptions options,
            List<PluginFactory> more,
            Optional<Election> election,
            Log log,
            Consumer<Throwable> faults) {
        return new Wiring(connection, options, more, election, log, faults);
    }

    /// Has something done when this process has lost the leadership against its will.
    public void whenLost(Runnable action) {
        lost.thenRun(action);
    }

    /// Whether this process has ever led (P-231).
    public boolean isLeader() {
        return leadership.isLeader();
    }

    /// The health check `leaderElection`: what is wrong, if anything.
    public Optional<String> leadershipProblem() {
        return leadership.problem();
    }

    /// Whether everything that was there at the start has been seen (`sched-handler-sync`).
    public boolean isSynced() {
        return caches.areFilled();
    }

    /// Whether a coordinated election knows this process (`informer-sync`).
    public boolean isCandidateSynced() {
        return leadership.isCandidateSynced();
    }

    /// How the watches are doing.
    public List<WatchState> watches() {
        return caches.states();
    }

    private static ProfileSettings profile(List<PluginFactory> more) {
        var enabled = new ArrayList<>(InTree.defaults());
        more.forEach(factory -> enabled.add(EnabledPlugin.of(factory.name())));
        return ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled);
    }

    private static Registry registry(List<PluginFactory> more) {
        var registry = Registry.of(InTree.factories());
        registry.merge(Registry.of(more));
        return registry;
    }

    /// Compares what the watches saw with what the engine holds, and writes it to the log.
    public void debug() {
        engine.debug();
    }

    private Ports ports() {
        return new Ports(
                new SystemTime(),
                RandomGenerator.of("L64X128MixRandom"),
                onVirtualThreads(),
                workers,
                new HttpClusterWrites(client),
                recorder,
                EngineMetrics.NONE,
                QueueMetrics.NONE,
                log);
    }

    private static Tasks onVirtualThreads() {
        return (name, task) -> Thread.ofVirtual().name(name).start(task);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }

    /// Stops without waiting for writes under way: for a cluster that is about to vanish anyway.
    public void abandon() {
        log.hush();
        beginning.interrupt();
        caches.close();
        thread.close();
        workers.close();
        eventClient.close();
        client.close();
        // They give their last writes a moment, in vain.
        Thread.ofVirtual()
                .name("end")
                .start(() -> {
                    leadership.close();
                    recorder.close();
                });
    }

    /// Stops placing pods, lets the writes under way come to their end, lets go of the lease, and
    /// tells what is left to tell. In this order: who takes over must find our writes done (P-252).
    @Override
    public void close() {
        beginning.interrupt();
        thread.drain(lost.isDone() ? Duration.ZERO : DRAIN);
        leadership.close();
        caches.close();
        thread.close();
        workers.close();
        recorder.close();
        eventClient.close();
        client.close();
    }

    /// The clocks of this machine.
    private static final class SystemTime implements TimeSource {
        @Override
        public long nowMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    }
}
