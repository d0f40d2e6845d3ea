package io.berth.engine;

import io.berth.api.event.ClusterEvent;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Listers;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.Nominations;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.Reserve;
import io.berth.engine.cycle.BindingCycle;
import io.berth.engine.cycle.PreparingPods;
import io.berth.engine.cycle.Reservation;
import io.berth.engine.cycle.SchedulingLoop;
import io.berth.engine.cycle.StatusWrites;
import io.berth.engine.cycle.Unplaced;
import io.berth.engine.cycle.WaitingPods;
import io.berth.engine.cycle.Workplace;
import io.berth.engine.debug.Comparer;
import io.berth.engine.debug.Dumper;
import io.berth.engine.framework.Extenders;
import io.berth.engine.framework.Profile;
import io.berth.engine.framework.Profiles;
import io.berth.engine.framework.Registry;
import io.berth.engine.framework.Rotation;
import io.berth.engine.framework.SearchSurroundings;
import io.berth.engine.intake.EventTimes;
import io.berth.engine.intake.Intake;
import io.berth.engine.intake.Mailbox;
import io.berth.engine.intake.Message;
import io.berth.engine.intake.Subscriptions;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.Ports;
import io.berth.engine.queue.HintMap;
import io.berth.engine.queue.QueueProfile;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The scheduler: takes messages, applies them, places pods.
///
/// One thread drives it, by calling [#step] again and again; [EngineThread] does that in a process,
/// the simulator and tests do it themselves. Everything else reaches it through messages. Same
/// messages, same clock and same chance give the same decisions.
public final class Engine implements ClusterFeed {
    private static final int BATCH = 256;

    private final Mailbox mailbox;
    private final Ports ports;
    private final ClusterState state;
    private final ObjectStore objects;
    private final Extenders extenders;
    private final Map<String, Profile> profiles;
    private final SchedulingQueue queue;
    private final WaitingPods waiting;
    private final Intake intake;
    private final SchedulingLoop loop;
    private final BindingCycle bindings;
    private final StatusWrites statuses;
    private final Set<Kind> awaited;
    private boolean isPaused;

    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public Engine(EngineSettings settings, Registry registry, Ports ports) {
        this.ports = ports;
        this.mailbox = new Mailbox(settings.mailboxCapacity());
        this.state = new ClusterState(ports.log());
        this.objects = new ObjectStore();
        this.waiting = new WaitingPods(this::execute, ports.time());
        this.awaited = EnumSet.noneOf(Kind.class);
        awaited.addAll(settings.awaitedKinds());
        this.extenders =
                new Extenders(
                        ports.extenders(), state, ports.workers(), ports.random(), ports.log());
        var nominations = new LateNominations();
        var preparing = new PreparingPods();
        this.profiles =
                Profiles.build(
                        settings.profiles(),
                        registry,
                        name ->
                                new EngineHandle(
                                        name,
                                        this,
                                        state,
                                        objects,
                                        nominations,
                                        waiting,
                                        preparing,
                                        extenders.all(),
                                        ports),
                        new SearchSurroundings(
                                state,
                                nominations,
                                new Rotation(),
                                extenders,
                                ports.workers(),
                                ports.time(),
                                ports.metrics(),
                                ports.log()),
                        settings.percentageOfNodesToScore());
        var queueProfiles = queueProfiles();
        this.queue = queue(settings, queueProfiles);
        nominations.real = queue.nominator();
        var at =
                new Workplace(
                        queue,
                        state,
                        this::execute,
                        ports.writes(),
                        ports.recorder(),
                        ports.tasks(),
                        ports.time(),
                        ports.metrics(),
                        ports.log());
        this.statuses = new StatusWrites(ports.writes(), ports.tasks(), this::execute, ports.log());
        var unplaced = new Unplaced(objects, statuses, at);
        this.bindings = new BindingCycle(unplaced, waiting, preparing, settings.bindingLine(), at);
        this.loop =
                new SchedulingLoop(profiles, new Reservation(unplaced, bindings, at), unplaced, at);
        this.intake =
                new Intake(
                        state,
                        objects,
                        queue,
                        waiting,
                        profiles.keySet(),
                        new Subscriptions(registered(queueProfiles), ports.log()),
                        new EventTimes(ports.time(), ports.metrics()),
                        ports.log());
    }

    private List<QueueProfile> queueProfiles() {
        return profiles.values().stream()
                .map(profile ->
                        new QueueProfile(
                                profile.name(),
                                profile.preEnqueues(),
                                HintMap.of(refusing(profile), !extenders.isEmpty())))
                .toList();
    }

    private static List<ClusterEvent> registered(List<QueueProfile> profiles) {
        return profiles.stream()
                .flatMap(profile -> profile.hints().registeredEvents().stream())
                .toList();
    }

    private SchedulingQueue queue(EngineSettings settings, List<QueueProfile> queueProfiles) {
        var first = profiles.values().iterator().next();
        return new SchedulingQueue(
                settings.queue(),
                queueProfiles,
                first.queueSort(),
                new SchedulingQueue.Ports(
                        this::podByKey, ports.time(), ports.log(), ports.queueMetrics()));
    }

    private @Nullable Pod podByKey(String key) {
        int slash = key.indexOf('/');
        return objects.pod(key.substring(0, slash), key.substring(slash + 1));
    }

    /// Plugins that can keep a pod waiting, so that events matter to them.
    private static List<Plugin> refusing(Profile profile) {
        return profile.plugins().stream()
                .filter(plugin ->
                        plugin instanceof PreEnqueue
                                || plugin instanceof PreFilter
                                || plugin instanceof Filter
                                || plugin instanceof Reserve
                                || plugin instanceof Permit)
                .toList();
    }

    @Override
    public void seen(ClusterObject object) {
        mailbox.post(new Message.Seen(object));
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        mailbox.post(new Message.Gone(kind, namespace, name));
    }

    @Override
    public void synced(Kind kind) {
        mailbox.post(new Message.Synced(kind));
    }

    /// Runs something on the engine thread, soon.
    void execute(Runnable body) {
        mailbox.post(new Message.Call(body));
    }

    /// Does one round: applies waiting messages (a bounded number), lets timers fire, and makes at
    /// most one attempt to place a pod. Engine thread only.
    ///
    /// @return whether there was anything to do
    public boolean step() {
        boolean worked = applyMessages();
        worked |= fireTimers();
        worked |= attempt();
        if (worked && ports.metrics().isOn()) {
            tellSizes();
        }
        return worked;
    }

    private void tellSizes() {
        var counts = queue.counts();
        ports.metrics()
                .pending(counts.active(), counts.backoff(), counts.unschedulable(), counts.gated());
        ports.metrics().cached(state.nodeCountWithGhosts(), state.podCount(), state.assumedCount());
    }

    private boolean applyMessages() {
        for (int i = 0; i < BATCH; i++) {
            var message = mailbox.poll();
            if (message == null) {
                return i > 0;
            }
            apply(message);
        }
        return true;
    }

    private void apply(Message message) {
        switch (message) {
            case Message.Seen(var object) -> intake.seen(object);
            case Message.Gone(var kind, var namespace, var name) ->
                    intake.gone(kind, namespace, name);
            case Message.Synced(var kind) -> awaited.remove(kind);
            case Message.Call(var body) -> body.run();
        }
    }

    private boolean fireTimers() {
        if (ports.time().nowMillis() < nextDeadlineMillis()) {
            return false;
        }
        queue.flushBackoffCompleted();
        queue.flushLeftovers();
        waiting.expire();
        bindings.expire();
        return true;
    }

    private boolean attempt() {
        return isReady() && !isPaused && !bindings.isLineFull() && loop.runOnce();
    }

    /// Whether all awaited kinds have been listed completely.
    public boolean isReady() {
        return awaited.isEmpty();
    }

    /// When something is due even without a message.
    public long nextDeadlineMillis() {
        return Math.min(
                bindings.nextDeadlineMillis(),
                Math.min(queue.nextDeadlineMillis(), waiting.nextDeadlineMillis()));
    }

    /// Waits for a message, at most until the next deadline, and applies it. Engine thread only.
    void awaitMessage(long mostMillis) throws InterruptedException {
        long untilDeadline = nextDeadlineMillis() - ports.time().nowMillis();
        long millis = Math.clamp(untilDeadline, 0, mostMillis);
        @Nullable Message message = mailbox.await(millis);
        if (message != null) {
            apply(message);
            if (ports.metrics().isOn()) {
                tellSizes();
            }
        }
    }

    /// Makes the calling thread the engine thread.
    public void adopt() {
        mailbox.adopt();
    }

    /// The last thing the engine thread does: closes the plugins that can be closed (P-252), and
    /// takes no more messages, so that nobody waits for room among them.
    void retire() {
        for (var profile : profiles.values()) {
            for (var plugin : profile.plugins()) {
                if (plugin instanceof AutoCloseable open) {
                    close(plugin.name(), open);
                }
            }
        }
        mailbox.close();
    }

    private void close(String plugin, AutoCloseable open) {
        try {
            open.close();
        } catch (Exception | LinkageError | StackOverflowError broken) {
            ports.log().error(broken, "Failed to close plugins", "plugin", plugin);
        }
    }

    /// Stops or resumes placing pods; the state is kept up to date meanwhile. A process that does
    /// not lead is paused. From any thread.
    public void pause(boolean paused) {
        execute(() -> isPaused = paused);
    }

    /// Answers a question on the engine thread, between two attempts. The answer must not hold
    /// anything that the engine goes on changing.
    public <T> CompletableFuture<T> ask(Function<Engine, T> question) {
        var answer = new CompletableFuture<T>();
        mailbox.post(
                new Message.Call(() -> {
                    try {
                        answer.complete(question.apply(this));
                    } catch (RuntimeException broken) {
                        answer.completeExceptionally(broken);
                    }
                }));
        return answer;
    }

    /// Compares what was seen with what is held, then writes what is held to the log. From any
    /// thread; what an operator gets on SIGUSR2.
    public void debug() {
        execute(() -> {
            new Comparer(objects, state, queue, ports.log()).compare();
            new Dumper(state, queue, ports.log()).dump();
        });
    }

    /// All pods as last seen, those of other schedulers too. Safe to keep: what is in the list does
    /// not change. From any thread.
    public CompletableFuture<List<Pod>> pods() {
        return ask(engine -> {
            var pods = new ArrayList<Pod>(engine.objects.podCount());
            engine.objects.forEachPod(pods::add);
            return pods;
        });
    }

    void activate(Collection<Pod> pods) {
        queue.activate(pods);
    }

    Profile profile(String name) {
        var profile = profiles.get(name);
        if (profile == null) {
            throw new IllegalStateException("no profile named " + name);
        }
        return profile;
    }

    /// For questions and tests; engine thread only.
    public ClusterState state() {
        return state;
    }

    /// For questions and tests; engine thread only.
    public SchedulingQueue queue() {
        return queue;
    }

    /// All objects but nodes, as last seen. For questions and tests; engine thread only.
    public Listers listers() {
        return objects;
    }

    public Map<String, Profile> profiles() {
        return profiles;
    }

    /// How many bindings and status writes are under way; engine thread only.
    public int underWay() {
        return bindings.underWay() + statuses.underWay();
    }

    /// How many pods have a write under way or about to be sent; engine thread only.
    int writesUnderWay() {
        return underWay() - waiting.all().size();
    }

    Log log() {
        return ports.log();
    }

    /// The queue's nominator exists only after the plugins that ask for it.
    private static final class LateNominations implements Nominations {
        private @Nullable Nominations real;

        private Nominations real() {
            var known = real;
            if (known == null) {
                throw new IllegalStateException("nominations asked for while plugins are made");
            }
            return known;
        }

        @Override
        public boolean isEmpty() {
            return real().isEmpty();
        }

        @Override
        public List<Pod> on(String nodeName) {
            return real().on(nodeName);
        }

        @Override
        public void nominate(Pod pod, String nodeName) {
            real().nominate(pod, nodeName);
        }

        @Override
        public void remove(Pod pod) {
            real().remove(pod);
        }
    }
}
