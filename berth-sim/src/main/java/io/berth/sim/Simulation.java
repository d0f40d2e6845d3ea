package io.berth.sim;

import io.berth.api.model.Kind;
import io.berth.engine.Inspection;
import io.berth.sim.SchedulerProcess.Life;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.Throttle;
import io.berth.sim.cluster.WriteFaults;
import io.berth.sim.device.ClaimController;
import io.berth.sim.device.ClaimShapes;
import io.berth.sim.fault.Mishaps;
import io.berth.sim.invariant.Invariant;
import io.berth.sim.invariant.PlayCheck;
import io.berth.sim.kubelet.Kubelet;
import io.berth.sim.plain.Broken;
import io.berth.sim.scenario.Scenario;
import io.berth.sim.storage.VolumeController;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import io.berth.sim.workload.Crowd;
import io.berth.sim.workload.Plays;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One run: storms, in which everything happens at once, and calms after them, in which everything
/// must come right.
///
/// ```
///   begin ─► storm ─► calm, checked ─► storm ─► calm, checked ─► …
/// ```
///
/// The same seed gives the same run, line by line.
public final class Simulation {
    /// A calm that takes longer than this is none.
    private static final long LONGEST_CALM_MILLIS = 300_000;

    private static final int MOST_ROUNDS = 10_000;

    /// In a storm many events may wake a pod, and hide that one does not. So in a calm some acts
    /// happen one at a time.
    private static final int SINGLE_ACTS = 6;

    /// As many are about nodes alone: what comes and goes with them wakes others than pods do.
    private static final int NODE_ACTS = 4;

    /// And then some happen that must wake a certain pod.
    private static final int PLAYS = 3;

    /// How many calls of an extender fail in a storm.
    private static final double OUTAGES = 0.05;

    /// Of its own chance, so that a run without volumes stays as it was.
    private static final long STORAGE_SALT = 0x3F84D5B5B5470917L;

    private static final long CLAIMS_SALT = 0x5BE0CD19137E2179L;
    private static final long THREADS_SALT = 0x1BD11BDAA9FC1A22L;

    /// Longer than any pod is left in peace (E-58).
    private static final long FLUSH_MILLIS = 340_000;

    private final Scenario scenario;
    private final Way way;
    private final VirtualTime time = new VirtualTime();
    private final Chronicle chronicle;
    private final ApiServer server = new ApiServer(time);
    private final Chance chance;
    private final Chance processChance;
    private final WriteFaults writes;
    private final Mishaps mishaps;
    private final Mishaps outages;
    private final Mishaps threads;
    private final Crowd crowd;
    private final Plays plays;
    private final VolumeController storage;
    private final ClaimController claims;
    private final Life life;
    private final List<SchedulerProcess> processes = new ArrayList<>();
    private int processNumber;
    private boolean isStorm;
    private boolean serverChanged;
    private long lastMillis;
    private int rounds;

    /// How a run is looked at. Nothing of it changes the story.
    enum Way {
        PLAIN,
        /// Somebody asks the engine about pods between its steps.
        CURIOUS,
        /// Nobody tells the journals to fresh engines: a curious run of the same seed does.
        NOT_REPLAYED
    }

    private Simulation(Scenario scenario, Way way, Consumer<String> lines) {
        this.scenario = scenario;
        this.way = way;
        this.chronicle = new Chronicle(time, lines);
        this.chance = new Chance(scenario.seed() ^ 0x5DEECE66DL);
        this.processChance = chance.split();
        // Of its own chance, so that a run without it stays as it was.
        var pressing = new Chance(scenario.seed() ^ 0x6C62272E07BB0142L);
        this.writes =
                new WriteFaults(
                        chance.split(),
                        scenario.writeFaults(),
                        !scenario.isStrict(),
                        chance.between(0, 1),
                        scenario.pressure().statuses(),
                        pressing.split(),
                        new Throttle(time, pressing.split(), scenario.pressure().throttling()));
        this.mishaps =
                new Mishaps(chance.split(), scenario.mishaps(), scenario.pressure().hasErrors());
        // Of its own chance, so that a run without extenders stays as it was.
        this.outages = new Mishaps(new Chance(scenario.seed() ^ 0x2545F491L), OUTAGES, false);
        this.threads =
                new Mishaps(
                        new Chance(scenario.seed() ^ THREADS_SALT),
                        scenario.pressure().noThreads(),
                        true);
        var _ = new Kubelet(server, time, chance.split());
        this.crowd =
                new Crowd(
                        scenario,
                        server,
                        time,
                        chance.split(),
                        SimulatedProfiles.SCHEDULERS,
                        chronicle::tell);
        this.life =
                new Life(
                        scenario,
                        server,
                        time,
                        writes,
                        mishaps,
                        outages,
                        threads,
                        Questions.of(scenario, mishaps, way == Way.CURIOUS),
                        chronicle,
                        crowd::probes,
                        new HashSet<>());
        this.plays =
                new Plays(server, time, chance.split(), scenario.hasDevices(), chronicle::tell);
        this.storage =
                new VolumeController(
                        server, time, new Chance(scenario.seed() ^ STORAGE_SALT), chronicle::tell);
        this.claims =
                new ClaimController(
                        server,
                        time,
                        new Chance(scenario.seed() ^ CLAIMS_SALT),
                        ClaimShapes::of,
                        chronicle::tell);
        server.listen((before, after) -> serverChanged = true);
    }

    /// How a run went.
    ///
    /// @param checksum over the story; equal for equal runs
    public record Outcome(Scenario scenario, String checksum, long lines, long virtualMillis) {}

    /// Runs a scenario.
    ///
    /// @param lines hears the story line by line
    /// @throws SimulationFailure where something that must hold does not
    public static Outcome run(Scenario scenario, Consumer<String> lines) {
        return run(scenario, Way.PLAIN, lines);
    }

    static Outcome run(Scenario scenario, Way way, Consumer<String> lines) {
        var simulation = new Simulation(scenario, way, lines);
        var failure = new @Nullable Throwable[1];
        // Strands hand over faster among virtual threads.
        var driver = Thread.ofVirtual().unstarted(() -> failure[0] = simulation.runAndClose());
        driver.start();
        try {
            driver.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in seed " + scenario.seed(), interrupted);
        }
        var broken = failure[0];
        if (broken != null) {
            throw new SimulationFailure(scenario, way == Way.CURIOUS, simulation.chronicle, broken);
        }
        return new Outcome(
                scenario,
                simulation.chronicle.checksum(),
                simulation.chronicle.lineCount(),
                simulation.time.elapsedMillis());
    }

    private @Nullable Throwable runAndClose() {
        @Nullable Throwable first = failureOf(this::run);
        for (var process : processes) {
            var another = process.isDead() ? null : failureOf(process::die);
            first = first == null ? another : first;
        }
        return first;
    }

    private static @Nullable Throwable failureOf(Runnable body) {
        try {
            body.run();
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private void run() {
        chronicle.tell(scenario.toString());
        crowd.begin();
        startProcess();
        for (int i = 0; i < scenario.storms(); i++) {
            storm();
            calm();
        }
        processes.forEach(this::checkReplay);
    }

    private void checkReplay(SchedulerProcess process) {
        if (way != Way.NOT_REPLAYED) {
            process.checkReplay();
        }
    }

    private SchedulerProcess startProcess() {
        var process = new SchedulerProcess("s" + processNumber++, life, processChance.split());
        processes.add(process);
        process.connect();
        return process;
    }

    private SchedulerProcess leader() {
        return processes.getFirst();
    }

    // --- storm

    private void storm() {
        chronicle.tell("storm");
        isStorm = true;
        writes.calm(false);
        mishaps.calm(false);
        outages.calm(false);
        threads.calm(false);
        storage.calm(false);
        claims.calm(false);
        planAct();
        long until = time.nowMillis() + scenario.stormMillis();
        while (time.nowMillis() < until) {
            if (!work()) {
                jump(until);
            }
        }
        isStorm = false;
    }

    private void planAct() {
        time.in(
                chance.between(1, 2 * scenario.actMillis()),
                () -> {
                    if (isStorm) {
                        act();
                        planAct();
                    }
                });
    }

    private void act() {
        if (chance.happens(0.04)) {
            disturbStreams();
        } else if (scenario.hasProcessFaults() && chance.happens(0.03)) {
            disturbProcess();
        } else {
            crowd.act();
        }
    }

    private void disturbStreams() {
        var kind =
                chance.oneOf(Kind.POD, Kind.POD, Kind.NODE, Kind.NODE, Kind.POD_DISRUPTION_BUDGET);
        if (scenario.hasDevices() && chance.happens(0.4)) {
            kind =
                    chance.oneOf(
                            Kind.RESOURCE_CLAIM,
                            Kind.RESOURCE_CLAIM,
                            Kind.RESOURCE_SLICE,
                            Kind.DEVICE_CLASS);
        }
        var stream =
                leader().stream(
                        scenario.hasVolumes() && chance.happens(0.4)
                                ? chance.oneOf(
                                        Kind.PERSISTENT_VOLUME,
                                        Kind.PERSISTENT_VOLUME_CLAIM,
                                        Kind.PERSISTENT_VOLUME_CLAIM,
                                        Kind.CSI_NODE)
                                : kind);
        if (chance.happens(0.5)) {
            chronicle.tell("a watch stalls");
            stream.stall(chance.between(100, 4000));
        } else {
            chronicle.tell("a watch breaks");
            stream.breakFor(chance.between(10, 4000));
        }
    }

    private void disturbProcess() {
        if (processes.size() > 1) {
            return;
        }
        if (scenario.isStrict() || chance.happens(0.3)) {
            leader().pause(!leader().isPaused());
        } else if (chance.happens(0.5)) {
            leader().die();
            checkReplay(leader());
            processes.removeFirst();
            startProcess();
        } else {
            failOver();
        }
    }

    /// Another process stands by, follows the cluster, and takes over some time later.
    private void failOver() {
        var standby = startProcess();
        standby.pause(true);
        time.in(
                chance.between(500, 3000),
                () -> {
                    leader().die();
                    checkReplay(leader());
                    processes.removeFirst();
                    standby.pause(false);
                });
    }

    // --- calm

    private void calm() {
        chronicle.tell("calm");
        writes.calm(true);
        mishaps.calm(true);
        outages.calm(true);
        threads.calm(true);
        storage.calm(true);
        claims.calm(true);
        crowd.ensureNode();
        if (leader().isPaused() && processes.size() == 1) {
            leader().pause(false);
        }
        settle();
        chronicle.tell("quiet: " + Inspection.of(leader().engine()).queue().summary());
        tell(Invariant::atRest);
        tell(Invariant::inCalm);
        for (int i = 0; i < SINGLE_ACTS; i++) {
            crowd.act();
            settle();
            tell(Invariant::atRest);
        }
        for (int i = 0; i < NODE_ACTS; i++) {
            crowd.changeOneNode();
            settle();
            tell(Invariant::atRest);
        }
        var check = new PlayCheck(server, leader().engine());
        for (int i = 0; i < PLAYS; i++) {
            var play = plays.next();
            play.begin().run();
            settle();
            check.told(play.waiting());
            play.end().run();
            settle();
            check.woken(play.waiting(), play.help());
        }
        tell(Invariant::atRest);
        if (chance.happens(0.3)) {
            letLeftoversBeTried();
        }
    }

    private void tell(Consumer<Invariant> moment) {
        leader().invariants().tell(moment);
    }

    /// Lets so much time pass that every pod is tried again: then there is no excuse any more.
    private void letLeftoversBeTried() {
        chronicle.tell("five minutes pass");
        long until = time.nowMillis() + FLUSH_MILLIS;
        while (time.nowMillis() < until) {
            if (!work()) {
                jump(until);
            }
        }
        settle();
        tell(Invariant::atRest);
        tell(Invariant::afterFlush);
    }

    /// Waits until nothing is under way any more.
    private void settle() {
        long until = time.nowMillis() + LONGEST_CALM_MILLIS;
        boolean isWorking;
        while ((isWorking = work()) || !isQuiet()) {
            if (time.nowMillis() >= until) {
                throw new Broken(
                        "does not come to rest: tasks %s, queue %s"
                                .formatted(
                                        leader().openTasks(),
                                        Inspection.of(leader().engine()).queue().pending()));
            }
            if (!isWorking) {
                jump(until);
            }
        }
    }

    /// Nothing is planned, and the engine waits for nothing but the time at which it looks at
    /// leftovers.
    private boolean isQuiet() {
        if (processes.size() > 1
                || time.nextMillis() < Long.MAX_VALUE
                || leader().isBusy()
                || leader().isBehind()
                || leader().isPreparing()) {
            return false;
        }
        var counts = Inspection.of(leader().engine()).queue().counts();
        return counts.active() == 0 && counts.backoff() == 0 && counts.inFlight() == 0;
    }

    // --- time

    /// Lets something happen that is due.
    ///
    /// @return false where nothing is
    private boolean work() {
        if (time.nowMillis() != lastMillis) {
            lastMillis = time.nowMillis();
            rounds = 0;
        }
        Broken.require(
                ++rounds < MOST_ROUNDS, "works and works, and no time passes: %s", time.now());
        boolean worked = time.runDue();
        checkServer();
        for (var process : List.copyOf(processes)) {
            worked |= process.step();
        }
        checkServer();
        return worked;
    }

    /// Jumps to what is due next.
    private void jump(long until) {
        long next = Math.min(until, time.nextMillis());
        for (var process : processes) {
            long wants =
                    process.isBusy()
                            ? process.busyUntilMillis()
                            : Math.max(time.nowMillis() + 1, process.nextMillis());
            next = Math.min(next, wants);
        }
        time.advanceTo(next);
    }

    private void checkServer() {
        if (serverChanged) {
            serverChanged = false;
            processes.forEach(process -> process.invariants().tell(Invariant::afterChange));
        }
    }
}
