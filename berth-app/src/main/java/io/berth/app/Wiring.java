package io.berth.app;

import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.app.explain.AttemptHistory;
import io.berth.app.explain.LiveLook;
import io.berth.app.explain.LiveState;
import io.berth.app.explain.PendingCounts;
import io.berth.app.log.HushableLog;
import io.berth.app.metrics.ProcessMetrics;
import io.berth.engine.Engine;
import io.berth.engine.EngineThread;
import io.berth.engine.EngineWatchdog;
import io.berth.engine.SystemTime;
import io.berth.engine.journal.Journal;
import io.berth.engine.journal.RingJournal;
import io.berth.engine.port.Ports;
import io.berth.engine.port.Tasks;
import io.berth.engine.query.Difference;
import io.berth.engine.query.EngineQueries;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.WriteGate;
import io.berth.kube.extender.HttpExtenders;
import io.berth.kube.watch.WatchState;
import io.berth.kube.write.EventRecorder;
import io.berth.kube.write.HttpClusterWrites;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Builds a scheduler by hand and runs it until it is closed.
///
/// Parts are built from the outside in and started in the order in which a pod meets them; they are
/// closed the other way round.
public final class Wiring implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final Duration LAST_STEP = Duration.ofSeconds(10);

    private final HushableLog log;
    private final HttpExtenders extenders;
    private final ProcessMetrics metrics;
    private final ApiClient eventClient;
    private final EventGate eventGate = new EventGate();
    private final EventRecorder recorder;
    private final Leadership leadership;
    private final boolean delaysCaches;
    private final ApiClient client;
    private final PoolWorkers workers;
    private final Duration maxTimeParked;
    private final AttemptHistory history;
    private final Engine engine;
    private final EngineThread thread;
    private final Optional<EngineWatchdog> watchdog;
    private final Caches caches;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();
    private final CountDownLatch mayCompete = new CountDownLatch(1);
    private final Thread beginning = Thread.ofVirtual().name("begin").unstarted(this::begin);

    private Wiring(
            Setup setup,
            Optional<Election> election,
            ProcessMetrics metrics,
            Log log,
            Consumer<Throwable> faults) {
        this.log = new HushableLog(log);
        this.metrics = metrics;
        // Events have a rate and connections of their own, so that a flood of them holds up no
        // binding. Those about the election itself are not the leader's alone, hence the open gate.
        this.eventClient =
                new ApiClient(setup.connection(), setup.client(), WriteGate.OPEN, metrics.client());
        this.recorder = new EventRecorder(eventClient, Election.hostName(), eventGate);
        this.leadership =
                election.map(one -> one.observedBy(metrics.election()))
                        .map(one -> Leadership.contested(one, setup, recorder, this.log))
                        .orElseGet(Leadership::undisputed);
        eventGate.follow(leadership.gate());
        this.delaysCaches = election.isPresent() && election.get().delaysCaches();
        this.client =
                new ApiClient(
                        setup.connection(), setup.client(), leadership.gate(), metrics.client());
        var extended = setup.configuration().extenders();
        extended.forEach(one -> log.info(2, "Creating extender", "extender", one.urlPrefix()));
        this.extenders =
                new HttpExtenders(ExtenderConversion.settings(extended), leadership.gate());
        this.workers = new PoolWorkers(setup.parallelism());
        this.maxTimeParked = setup.options().maxTimeParked();
        this.history =
                new AttemptHistory(
                        setup.options().explainMemory(), maxTimeParked, System::currentTimeMillis);
        this.engine =
                new Engine(
                        setup.engine(), setup.registry(), ports(setup.options().journalEntries()));
        this.thread = new EngineThread(engine, faults);
        this.watchdog = watchdog(setup, thread, this.log);
        this.caches =
                new Caches(
                        client,
                        engine.followedKinds(),
                        engine,
                        extenders.raw(),
                        setup.options().gates().isOn("WatchListClient"),
                        this.log);
    }

    /// A step may take as long as its extenders: each is asked three times in it at most.
    private static Optional<EngineWatchdog> watchdog(Setup setup, EngineThread thread, Log log) {
        var limit = setup.options().stallTimeout();
        if (!limit.isPositive()) {
            return Optional.empty();
        }
        for (var extender : ExtenderConversion.settings(setup.configuration().extenders())) {
            limit = limit.plus(extender.timeout().multipliedBy(3));
        }
        return Optional.of(new EngineWatchdog(thread, limit, log));
    }

    /// Builds a scheduler with all its plugins, which does nothing yet.
    ///
    /// @param faults told of our own mistakes, after they have been logged
    /// @throws io.berth.engine.framework.SettingsException where a plugin or profile cannot be
    ///   built
    /// @throws io.berth.kube.connection.ConfigException where an extender cannot be used
    public static Wiring build(Setup setup, Log log, Consumer<Throwable> faults) {
        return build(setup, Election.of(setup), AboutProcess.metrics(setup), log, faults);
    }

    /// @param election how it competes with others; empty where it is the only one
    /// @param metrics shared with whatever else of the process counts something
    static Wiring build(
            Setup setup,
            Optional<Election> election,
            ProcessMetrics metrics,
            Log log,
            Consumer<Throwable> faults) {
        return new Wiring(setup, election, metrics, log, faults);
    }

    /// Follows the cluster and, while it leads, places pods, until [#close].
    public Wiring start() {
        follow();
        compete();
        return this;
    }

    /// Begins to follow the cluster. It places nothing before it leads, and does not compete for
    /// that before [#compete].
    void follow() {
        engine.pause(true);
        thread.start();
        watchdog.ifPresent(EngineWatchdog::start);
        beginning.start();
    }

    /// Lets it compete for the leadership as soon as it knows the cluster.
    void compete() {
        mayCompete.countDown();
    }

    /// Follows the cluster, then competes: who takes over can begin at once (P-230, P-255).
    private void begin() {
        leadership.offer();
        if ((delaysCaches || caches.fill()) && isCompeting()) {
            leadership.start(
                    new Leadership.Listener() {
                        @Override
                        public void leads() {
                            lead();
                        }

                        @Override
                        public void lost(Loss how) {
                            // The fence is closed already; nobody waits for the engine.
                            engine.pause(true);
                            lost.complete(how);
                        }
                    });
        }
    }

    private boolean isCompeting() {
        try {
            mayCompete.await();
            return true;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void lead() {
        if (delaysCaches) {
            log.info(0, "Starting informers and waiting for sync...");
            caches.fill();
            log.info(0, "Sync completed");
        }
        engine.pause(false);
    }

    /// Has something done when it has lost the leadership against its will. It never leads again.
    void whenLost(Consumer<Loss> action) {
        var _ = lost.thenAccept(action);
    }

    /// Whether it has ever led, and has not lost that against its will (P-231).
    public boolean isLeader() {
        return leadership.isLeader() && !lost.isDone();
    }

    /// For how much longer a write that was sent may be under way.
    Duration leftForWritesSent() {
        return leadership.leftForWritesSent();
    }

    /// The health check `leaderElection`: what is wrong, if anything (P-236).
    public Optional<String> leadershipProblem() {
        return leadership.problem();
    }

    /// The health check `engine`: what is wrong, if anything.
    public Optional<String> engineProblem() {
        return watchdog.flatMap(EngineWatchdog::problem);
    }

    /// Whether it follows the cluster from the start, rather than from when it leads.
    boolean isFollowing() {
        return !delaysCaches;
    }

    /// The readiness check `sched-handler-sync`: whether everything that was there at the start has
    /// been seen (P-138), by somebody who goes on looking.
    public boolean isSynced() {
        return caches.areFilled() && !lost.isDone();
    }

    /// The readiness check `informer-sync` of a coordinated election (P-240).
    public boolean isCandidateSynced() {
        return leadership.isCandidateSynced();
    }

    /// The readiness check `api-server`: which watches are broken at present, if any.
    public Optional<String> watchProblem() {
        return caches.problem();
    }

    /// All pods as the engine last saw them.
    public CompletableFuture<List<Pod>> pods() {
        return engine.ask(EngineQueries::pods);
    }

    /// What the engine knows, to be asked about elsewhere.
    public CompletableFuture<LiveState> knowledge() {
        return engine.ask(queries -> LiveState.of(queries, history, maxTimeParked));
    }

    /// What has changed since an earlier look, see [LiveLook.Engine#look].
    public CompletableFuture<LiveLook> look(Difference.@Nullable Mark since, String pod) {
        return engine.ask(queries -> LiveLook.of(queries, history, maxTimeParked, since, pod));
    }

    /// What pods wait for, in numbers.
    public CompletableFuture<Map<PendingCounts.Key, Integer>> pendingCounts() {
        return engine.ask(PendingCounts::of);
    }

    /// How the watches are doing.
    public List<WatchState> watches() {
        return caches.states();
    }

    /// Compares what the watches saw with what the engine holds, and writes it to the log.
    public void debug() {
        engine.debug();
    }

    private Ports ports(int journalEntries) {
        var journal = journalEntries > 0 ? new RingJournal(journalEntries) : Journal.NONE;
        // Whoever wants to see the same decisions again needs the same chance.
        long seed = RandomGenerator.of("L64X128MixRandom").nextLong();
        log.info(1, "Drew the seed of the engine's chance", "seed", seed);
        return new Ports(
                        new SystemTime(),
                        seed,
                        onVirtualThreads(),
                        workers,
                        new HttpClusterWrites(client),
                        recorder,
                        metrics.scheduler(),
                        metrics.scheduler(),
                        log)
                .withExtenders(extenders.all())
                .withJournal(journal)
                .watchedBy(history);
    }

    private static Tasks onVirtualThreads() {
        return (name, task) -> Thread.ofVirtual().name(name).start(task);
    }

    /// Stops without waiting for writes under way: for a cluster that is about to vanish anyway.
    public void abandon() {
        log.hush();
        beginning.interrupt();
        watchdog.ifPresent(EngineWatchdog::close);
        thread.close();
        caches.close();
        workers.close();
        extenders.close();
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
    /// Each step has a limit: an engine that hangs keeps nobody.
    @Override
    public void close() {
        beginning.interrupt();
        watchdog.ifPresent(EngineWatchdog::close);
        thread.drain(lost.isDone() ? Duration.ZERO : DRAIN);
        eventGate.settle();
        leadership.close();
        // Before the watches: from here on none of them waits for the engine.
        thread.close();
        caches.close();
        workers.close();
        extenders.close();
        recorder.close();
        eventClient.close();
        client.close();
    }

    /// Closes it and waits until nothing of it works any more, so that another can begin in the
    /// same process.
    ///
    /// @return whether it came to its end; a plugin that hangs keeps it from that
    boolean end() throws InterruptedException {
        close();
        boolean ended = thread.awaitEnd(LAST_STEP);
        if (ended) {
            metrics.scheduler().clear();
        }
        return ended;
    }
}
