package io.berth.sim;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Recorder;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.write.Write;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.Inspection;
import io.berth.engine.Replay;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.journal.Decision;
import io.berth.engine.journal.Entry;
import io.berth.engine.journal.RingJournal;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Workers;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.SimulatedWrites;
import io.berth.sim.cluster.WatchStream;
import io.berth.sim.cluster.WriteFaults;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.fault.SimulatedExtender;
import io.berth.sim.invariant.Invariant;
import io.berth.sim.invariant.Invariants;
import io.berth.sim.invariant.Watched;
import io.berth.sim.plain.Broken;
import io.berth.sim.scenario.Scenario;
import io.berth.sim.time.Chance;
import io.berth.sim.time.Strands;
import io.berth.sim.time.VirtualTime;
import io.berth.testkit.InMemoryMetrics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One process of the scheduler: the real engine with simulated ports. It can be paused and it can
/// die; what it had sent to the API server by then still arrives.
///
/// ```
///   new ──connect──► listing ──all kinds listed──► working ◄──► paused
///                                                      └── die ──► dead
/// ```
final class SchedulerProcess {
    private final String name;
    private final VirtualTime time;
    private final Chance chance;
    private final int engineMillis;
    private final Chronicle chronicle;
    private final Strands strands = new Strands();
    private final Map<Kind, WatchStream> streams = new TreeMap<>();
    private final Life life;
    private final @Nullable InMemoryMetrics metrics;
    private final Invariants invariants;
    private final RingJournal journal = new RingJournal(Integer.MAX_VALUE);
    private final Supplier<List<Decision>> replay;
    private final Engine engine;
    private final int mailbox;
    private int posted;
    private long busyUntilMillis;
    private long extenderMillis;
    private int tasksPlanned;
    private boolean isDead;
    private boolean isPaused;

    /// What the processes of a run share.
    ///
    /// @param threads what befalls tasks that are to begin
    /// @param probes pods of all kinds, to ask about
    /// @param doubtful uids of pods for whose status no process can answer
    record Life(
            Scenario scenario,
            ApiServer server,
            VirtualTime time,
            WriteFaults writes,
            Mishaps mishaps,
            Mishaps outages,
            Mishaps threads,
            Questions questions,
            Chronicle chronicle,
            Supplier<List<Pod>> probes,
            Set<String> doubtful) {}

    SchedulerProcess(String name, Life life, Chance chance) {
        this.name = name;
        this.time = life.time();
        this.chance = chance;
        this.engineMillis = life.scenario().engineMillis();
        this.chronicle = life.chronicle();
        this.life = life;
        this.metrics = life.scenario().hasMetrics() ? new InMemoryMetrics() : null;
        this.mailbox = life.scenario().pressure().mailbox();
        this.invariants = new Invariants(new View());
        var profiles =
                new SimulatedProfiles(
                        life.scenario(),
                        life.mishaps(),
                        chance.split(),
                        this::tell,
                        this::later,
                        invariants);
        var writes =
                new SimulatedWrites(
                        life.server(), time, strands, life.writes(), new WriteWitness());
        var extenders = extenders(life, chance, writes);
        this.replay =
                () ->
                        Replay.run(
                                journal.entries(),
                                settings(profiles.settings(), life.scenario()),
                                profiles.replayed(),
                                extenders);
        this.engine =
                new Engine(
                        settings(profiles.settings(), life.scenario()).withMailboxCapacity(mailbox),
                        profiles.registry(),
                        new Ports(
                                        time,
                                        chance.split().generator().nextLong(),
                                        this::startTask,
                                        Workers.NONE,
                                        writes,
                                        this::record,
                                        metrics == null ? EngineMetrics.NONE : metrics,
                                        metrics == null ? QueueMetrics.NONE : metrics,
                                        new ProcessLog(
                                                this::tell,
                                                key -> isBeingDeleted(life, key),
                                                invariants))
                                .withExtenders(extenders)
                                .withJournal(journal)
                                .watchedBy(new Onlooker(invariants, this::tell)));
        engine.adopt();
        Inspection.of(engine).state().observe(invariants.images());
        var receiver = new Receiver();
        for (var kind : Kind.values()) {
            streams.put(
                    kind,
                    new WatchStream(
                            kind,
                            life.server(),
                            time,
                            chance.split(),
                            life.scenario().streams(),
                            receiver));
        }
    }

    private static EngineSettings settings(List<ProfileSettings> profiles, Scenario scenario) {
        return EngineSettings.of(profiles)
                .withBindingLine(scenario.bindingLine())
                .withFeatures(SimulatedProfiles.FEATURES);
    }

    /// An engine that is told the same decides the same.
    void checkReplay() {
        var decided = Entry.decisions(journal.entries());
        var again = replay.get();
        for (int i = 0; i < Math.min(decided.size(), again.size()); i++) {
            Broken.require(
                    decided.get(i).toString().equals(again.get(i).toString()),
                    "a replay of %s decided %s, but it had decided %s",
                    name,
                    again.get(i),
                    decided.get(i));
        }
        Broken.require(
                decided.size() == again.size(),
                "a replay of %s took %d decisions, but it had taken %d",
                name,
                again.size(),
                decided.size());
    }

    private static boolean isBeingDeleted(Life life, String key) {
        var pod = life.server().pod(key);
        return pod == null || pod.isTerminating();
    }

    private List<Extender> extenders(Life life, Chance chance, SimulatedWrites writes) {
        return life.scenario().hasExtenders()
                ? SimulatedExtender.all(
                        chance.split(),
                        life.outages(),
                        millis -> extenderMillis += millis,
                        writes,
                        name -> {
                            var node = Inspection.of(engine()).state().node(name);
                            return node != null && SimulatedExtender.isFast(node);
                        })
                : List.of();
    }

    Engine engine() {
        return engine;
    }

    Invariants invariants() {
        return invariants;
    }

    String name() {
        return name;
    }

    void connect() {
        streams.values().forEach(stream -> stream.connect(chance.between(0, 300)));
    }

    WatchStream stream(Kind kind) {
        return Objects.requireNonNull(streams.get(kind));
    }

    /// The dead tell nothing, whatever their tasks make of being cut off.
    private void tell(String line) {
        if (!isDead) {
            chronicle.tell(name + " " + line);
        }
    }

    // --- driving

    /// When the engine wants to work next without news.
    long nextMillis() {
        return Math.max(busyUntilMillis, engine.nextDeadlineMillis());
    }

    boolean isBusy() {
        return time.nowMillis() < busyUntilMillis;
    }

    long busyUntilMillis() {
        return busyUntilMillis;
    }

    /// Lets the engine work, unless it still does.
    ///
    /// @return whether it did anything
    boolean step() {
        if (isDead || isBusy()) {
            return false;
        }
        life.questions().perhaps(engine);
        boolean worked = engine.step();
        invariants.rethrow();
        if (worked) {
            posted = 0;
            invariants.tell(Invariant::afterStep);
            if (engineMillis > 0 || extenderMillis > 0) {
                busyUntilMillis =
                        time.nowMillis() + chance.between(0, engineMillis) + extenderMillis;
                extenderMillis = 0;
            }
            deliverHeld();
        }
        return worked;
    }

    /// There is room in the mailbox again: watches go on, in turns.
    private void deliverHeld() {
        boolean isAny = true;
        while (isAny) {
            isAny = false;
            for (var stream : streams.values()) {
                isAny |= stream.deliverHeld();
            }
        }
    }

    void pause(boolean paused) {
        tell(paused ? "pauses" : "goes on");
        isPaused = paused;
        asOtherThread(() -> {
            engine.pause(paused);
            var _ =
                    engine.ask(_ -> {
                        invariants.pause().told(paused);
                        return paused;
                    });
        });
    }

    boolean isPaused() {
        return isPaused;
    }

    boolean isReady() {
        return engine.isReady();
    }

    /// The process is killed.
    void die() {
        tell("dies");
        isDead = true;
        streams.values().forEach(WatchStream::close);
        strands.cancelAll();
    }

    boolean isDead() {
        return isDead;
    }

    /// Tasks that wait for an answer, or have not begun.
    int tasksUnderWay() {
        return strands.openCount() + tasksPlanned;
    }

    List<String> openTasks() {
        return strands.openNames();
    }

    /// Whether bindings wait for something else than the answer to a write.
    boolean isPreparing() {
        return engine.queries().underWay() > invariants.unanswered();
    }

    boolean isBehind() {
        return streams.values().stream().anyMatch(WatchStream::isBehind);
    }

    // --- ports

    private void startTask(String what, Runnable body) {
        try {
            life.threads().perhaps("the start of " + what);
        } catch (Throwable noThread) {
            invariants.tell(each -> each.atNoThread(what));
            throw noThread;
        }
        invariants.tell(each -> each.atTask(what));
        tasksPlanned++;
        time.in(
                chance.delay(3, 200),
                () -> {
                    tasksPlanned--;
                    if (!isDead) {
                        strands.start(what, body);
                    }
                });
    }

    private void later(long millis, Runnable body) {
        time.in(
                millis,
                () -> {
                    if (!isDead) {
                        asOtherThread(body);
                    }
                });
    }

    /// Messages from outside queue up behind one another; those of the engine thread do not.
    private void asOtherThread(Runnable body) {
        strands.start("outside", body);
    }

    private void record(Recorder.Event event, @Nullable Pod related) {
        tell(event.reason() + " " + event.about().key() + ": " + event.note());
        if (event.reason().equals("Preempted")) {
            invariants.tell(each -> each.atEviction(event.about(), related));
        }
    }

    private final class View implements Watched {
        @Override
        public ApiServer server() {
            return life.server();
        }

        @Override
        public VirtualTime time() {
            return time;
        }

        @Override
        public Engine engine() {
            return engine;
        }

        @Override
        public WatchStream stream(Kind kind) {
            return SchedulerProcess.this.stream(kind);
        }

        @Override
        public Mishaps mishaps() {
            return life.mishaps();
        }

        @Override
        public String task() {
            return strands.currentName();
        }

        @Override
        public @Nullable InMemoryMetrics metrics() {
            return metrics;
        }

        @Override
        public Set<String> doubtful() {
            return life.doubtful();
        }

        @Override
        public boolean isStrict() {
            return life.scenario().isStrict();
        }

        @Override
        public List<Pod> probes() {
            return life.probes().get();
        }

        @Override
        public EngineSettings plainSettings() {
            return SimulatedProfiles.plain();
        }
    }

    private final class WriteWitness implements SimulatedWrites.Witness {
        @Override
        public void sent(Write write) {
            if (write instanceof Write.Bind) {
                life.mishaps().perhaps("bind");
            }
            invariants.tell(each -> each.atWrite(write));
        }

        @Override
        public void carriedOut(Write write, boolean isLate) {
            invariants.tell(each -> each.atEffect(write, isLate));
        }

        @Override
        public void answered(Write write, @Nullable ClusterException failure) {
            invariants.tell(each -> each.atAnswer(write, failure));
        }

        @Override
        public void told(String line) {
            tell(line);
        }
    }

    private final class Receiver implements WatchStream.Receiver {
        @Override
        public void seen(ClusterObject object) {
            invariants.tell(each -> each.beforeSeen(object));
            post(() -> engine.seen(object));
        }

        @Override
        public void gone(Kind kind, String namespace, String objectName) {
            var key = namespace.isEmpty() ? objectName : namespace + "/" + objectName;
            invariants.tell(each -> each.beforeGone(kind, key));
            post(() -> engine.gone(kind, namespace, objectName));
        }

        @Override
        public void synced(Kind kind) {
            post(() -> engine.synced(kind));
        }

        private void post(Runnable news) {
            posted++;
            asOtherThread(news);
        }

        @Override
        public boolean hasRoom() {
            return posted + Scenario.SMALLEST_MAILBOX <= mailbox;
        }
    }
}
