package io.berth.sim;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterException;
import io.berth.api.plugin.Extender;
import io.berth.api.plugin.Recorder;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
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
import io.berth.sim.invariant.Attempts;
import io.berth.sim.invariant.Books;
import io.berth.sim.invariant.Broken;
import io.berth.sim.invariant.Figures;
import io.berth.sim.invariant.FreedPlaces;
import io.berth.sim.invariant.PlainImages;
import io.berth.sim.invariant.Preemptions;
import io.berth.sim.invariant.SharedPorts;
import io.berth.sim.invariant.Turns;
import io.berth.sim.time.Chance;
import io.berth.sim.time.Strands;
import io.berth.sim.time.VirtualTime;
import io.berth.testkit.InMemoryMetrics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
    private final Map<Kind, WatchStream> streams = new EnumMap<>(Kind.class);
    private final Preemptions preemptions = new Preemptions();
    private final Set<String> binding = new HashSet<>();
    private final Set<String> bound = new HashSet<>();
    private final SharedPorts sharedPorts = new SharedPorts();
    private final Attempts attempts;
    private final Turns turns;
    private final Engine engine;
    private final Books books;
    private final FreedPlaces freed;
    private final @Nullable Figures figures;
    private long busyUntilMillis;
    private long extenderMillis;
    private int tasksPlanned;
    private boolean isDead;
    private boolean isPaused;
    private long pausedAtCycle = -1;

    /// What the processes of a run share.
    record Surroundings(
            Scenario scenario,
            ApiServer server,
            VirtualTime time,
            WriteFaults writes,
            Mishaps mishaps,
            Mishaps outages,
            Chronicle chronicle) {}

    SchedulerProcess(String name, Surroundings around, Chance chance) {
        this.name = name;
        this.time = around.time();
        this.chance = chance;
        this.engineMillis = around.scenario().engineMillis();
        this.chronicle = around.chronicle();
        this.attempts = new Attempts(this::engine, preemptions);
        this.turns = new Turns(this::engine, time, preemptions::isPreemptor);
        var images = new PlainImages();
        var profiles =
                new SimulatedProfiles(
                        around.scenario(),
                        around.mishaps(),
                        chance.split(),
                        this::tell,
                        this::later,
                        preemptions,
                        sharedPorts,
                        images,
                        turns);
        var writes =
                new SimulatedWrites(
                        around.server(), time, strands, around.writes(), new BindingWitness());
        var metrics = around.scenario().hasMetrics() ? new InMemoryMetrics() : null;
        this.engine =
                new Engine(
                        EngineSettings.of(profiles.settings())
                                .withBindingLine(around.scenario().bindingLine()),
                        profiles.registry(),
                        new Ports(
                                time,
                                chance.split().generator(),
                                this::startTask,
                                Workers.NONE,
                                writes,
                                this::record,
                                metrics == null ? EngineMetrics.NONE : metrics,
                                metrics == null ? QueueMetrics.NONE : metrics,
                                new ProcessLog(this::tell, key -> isBeingDeleted(around, key)),
                                extenders(around, chance, writes)));
        engine.adopt();
        engine.state().observe(images);
        var receiver = new Receiver();
        for (var kind : Kind.values()) {
            streams.put(
                    kind,
                    new WatchStream(
                            kind,
                            around.server(),
                            time,
                            chance.split(),
                            around.scenario().streams(),
                            receiver));
        }
        this.books = new Books(engine, stream(Kind.POD), stream(Kind.NODE), sharedPorts, turns);
        this.freed = new FreedPlaces(engine, around.server(), attempts, around.mishaps());
        this.figures = metrics == null ? null : new Figures(engine, metrics);
    }

    private static boolean isBeingDeleted(Surroundings around, String key) {
        var pod = around.server().pod(key);
        return pod == null || pod.isTerminating();
    }

    private List<Extender> extenders(Surroundings around, Chance chance, SimulatedWrites writes) {
        return around.scenario().hasExtenders()
                ? SimulatedExtender.all(
                        chance.split(),
                        around.outages(),
                        millis -> extenderMillis += millis,
                        writes,
                        name -> {
                            var node = engine().state().node(name);
                            return node != null && SimulatedExtender.isFast(node);
                        })
                : List.of();
    }

    private Engine engine() {
        return engine;
    }

    Books books() {
        return books;
    }

    /// What must hold of its figures when nothing is under way.
    void checkCalmFigures() {
        if (figures != null) {
            figures.checkCalm(binding.size());
        }
    }

    Engine running() {
        return engine;
    }

    Attempts attempts() {
        return attempts;
    }

    SharedPorts sharedPorts() {
        return sharedPorts;
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

    private void tell(String line) {
        chronicle.tell(name + " " + line);
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
        boolean worked = engine.step();
        if (worked) {
            books.check();
            checkPause();
            freed.check();
            if (figures != null) {
                figures.check();
            }
            if (engineMillis > 0 || extenderMillis > 0) {
                busyUntilMillis =
                        time.nowMillis() + chance.between(0, engineMillis) + extenderMillis;
                extenderMillis = 0;
            }
        }
        return worked;
    }

    private void checkPause() {
        if (pausedAtCycle >= 0) {
            Broken.require(
                    engine.queue().schedulingCycle() == pausedAtCycle,
                    "%s tried to place pods while it was paused",
                    name);
        }
    }

    void pause(boolean paused) {
        tell(paused ? "pauses" : "goes on");
        isPaused = paused;
        asOtherThread(() -> {
            engine.pause(paused);
            var _ =
                    engine.ask(
                            asked -> pausedAtCycle = paused ? asked.queue().schedulingCycle() : -1);
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

    boolean isBehind() {
        return streams.values().stream().anyMatch(WatchStream::isBehind);
    }

    /// Pods whose binding was asked for and has not been answered.
    Set<String> binding() {
        return binding;
    }

    // --- ports

    private void startTask(String what, Runnable body) {
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
        switch (event.reason()) {
            case "FailedScheduling" -> {
                attempts.failed(event.about());
                turns.failed(event.about());
            }
            case "Preempted" ->
                    Broken.require(
                            related != null
                                    && preemptions.isVictimOf(event.about().uid(), related.uid()),
                            "%s was evicted for %s, which did not need that",
                            event.about().key(),
                            related);
            default -> {}
        }
    }

    private final class BindingWitness implements SimulatedWrites.Witness {
        @Override
        public void binding(Pod pod, String node) {
            Broken.require(binding.add(pod.uid()), "%s is being bound twice at once", pod.key());
            Broken.require(
                    !bound.contains(pod.uid()),
                    "%s is to be bound to %s although its binding has succeeded",
                    pod.key(),
                    node);
        }

        @Override
        public void bindingAnswered(Pod pod, String node, @Nullable ClusterException failure) {
            binding.remove(pod.uid());
            if (failure == null) {
                bound.add(pod.uid());
            }
        }

        @Override
        public void deleting(Pod pod) {
            Broken.require(
                    preemptions.isVictim(pod.uid()),
                    "%s is deleted, though nobody needs that",
                    pod.key());
        }

        @Override
        public void told(String line) {
            tell(line);
        }
    }

    private final class Receiver implements WatchStream.Receiver {
        @Override
        public void seen(ClusterObject object) {
            if (object instanceof Pod pod && !pod.isAssigned()) {
                attempts.nominationSeen(pod);
            } else if (object instanceof Pod pod) {
                var pods = new ArrayList<Pod>();
                stream(Kind.POD).told().forEach(told -> pods.add((Pod) told));
                pods.addAll(engine.state().pods());
                sharedPorts.look(pods);
                attempts.bindingSeen(pod);
            }
            asOtherThread(() -> engine.seen(object));
        }

        @Override
        public void gone(Kind kind, String namespace, String objectName) {
            if (kind == Kind.POD) {
                attempts.goingUnseen(namespace + "/" + objectName);
            }
            asOtherThread(() -> engine.gone(kind, namespace, objectName));
        }

        @Override
        public void synced(Kind kind) {
            asOtherThread(() -> engine.synced(kind));
        }
    }
}
