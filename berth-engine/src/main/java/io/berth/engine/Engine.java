package io.berth.engine;

import io.berth.api.event.ClusterEvent;
import io.berth.api.handle.Log;
import io.berth.api.handle.Nominations;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.PreFilter;
import io.berth.api.plugin.Reserve;
import io.berth.engine.cycle.AttemptContext;
import io.berth.engine.cycle.BindingCycle;
import io.berth.engine.cycle.Errands;
import io.berth.engine.cycle.PreparingPods;
import io.berth.engine.cycle.Reservation;
import io.berth.engine.cycle.SchedulingLoop;
import io.berth.engine.cycle.StatusWrites;
import io.berth.engine.cycle.Unplaced;
import io.berth.engine.cycle.WaitingPods;
import io.berth.engine.debug.Comparer;
import io.berth.engine.debug.Dumper;
import io.berth.engine.debug.JournalDump;
import io.berth.engine.framework.Registry;
import io.berth.engine.intake.EventTimes;
import io.berth.engine.intake.Intake;
import io.berth.engine.intake.Mailbox;
import io.berth.engine.intake.Subscriptions;
import io.berth.engine.journal.Outside;
import io.berth.engine.message.Message;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.port.Ports;
import io.berth.engine.profile.Profile;
import io.berth.engine.profile.Profiles;
import io.berth.engine.query.Books;
import io.berth.engine.query.EngineQueries;
import io.berth.engine.query.UnderWay;
import io.berth.engine.queue.HintMap;
import io.berth.engine.queue.QueueProfile;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.search.Extenders;
import io.berth.engine.search.Rotation;
import io.berth.engine.search.ScoreLog;
import io.berth.engine.search.SearchContext;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
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
    private final Set<Kind> followed;
    private final Set<Kind> awaited;
    private final StepClock clock;
    private final Outside outside;
    private final Errands errands;
    private final Books books;
    private final EngineQueries queries;
    private final Set<String> features;
    private final Map<Class<?>, Object> shared = new HashMap<>();
    private boolean isPaused;
    private int taken;

    /// @throws io.berth.engine.framework.SettingsException where the profiles cannot work
    public Engine(EngineSettings settings, Registry registry, Ports ports) {
        this.ports = ports;
        this.features = settings.features();
        this.mailbox = new Mailbox(settings.mailboxCapacity());
        this.state = new ClusterState(ports.log());
        this.objects = new ObjectStore();
        this.clock = new StepClock(ports.time());
        ports.journal().begin(ports.seed(), clock.nowMillis(), ports.metrics().isOn());
        this.outside = new Outside(mailbox::isDeciding, ports.journal());
        this.waiting = new WaitingPods(mailbox::post, clock, outside);
        this.errands = new Errands(ports.tasks(), mailbox::postOutcome, ports.log());
        var random = new SplittableRandom(ports.seed());
        this.followed = new TreeSet<>(settings.awaitedKinds());
        this.extenders =
                new Extenders(
                        ports.extenders().stream().map(ports.journal()::seen).toList(),
                        state,
                        ports.workers(),
                        random,
                        ports.log());
        var observer = new ScoreLog(ports.log(), ports.observer());
        var nominations = new LateNominations();
        var preparing = new PreparingPods();
        var handles = new HashMap<String, EngineHandle>();
        this.profiles =
                Profiles.build(
                        settings.profiles(),
                        registry,
                        name -> {
                            var handle =
                                    new EngineHandle(
                                            name,
                                            this,
                                            state,
                                            objects,
                                            nominations,
                                            waiting,
                                            preparing,
                                            extenders.all(),
                                            random,
                                            ports);
                            handles.put(name, handle);
                            return handle;
                        },
                        new SearchContext(
                                state,
                                nominations,
                                new Rotation(),
                                extenders,
                                ports.workers(),
                                clock,
                                ports.metrics(),
                                observer,
                                ports.log()),
                        settings.percentageOfNodesToScore());
        profiles.forEach(
                (name, profile) -> Objects.requireNonNull(handles.get(name)).complete(profile));
        var queueProfiles = queueProfiles();
        this.queue = queue(settings, queueProfiles);
        nominations.real = queue.nominator();
        var context =
                new AttemptContext(
                        queue,
                        state,
                        errands,
                        ports.writes(),
                        ports.recorder(),
                        clock,
                        ports.journal(),
                        ports.metrics(),
                        observer,
                        ports.log());
        this.statuses = new StatusWrites(ports.writes(), errands, ports.log());
        var unplaced = new Unplaced(objects, statuses, context);
        this.bindings =
                new BindingCycle(
                        unplaced, statuses, waiting, preparing, settings.bindingLine(), context);
        this.loop =
                new SchedulingLoop(
                        profiles, new Reservation(unplaced, bindings, context), unplaced, context);
        var subscriptions = new Subscriptions(registered(queueProfiles), ports.log());
        // Of the kinds that Berth knows, the settings say which ones are followed.
        for (var kind : subscriptions.kinds()) {
            if (!kind.isBuiltIn()) {
                followed.add(kind);
            }
        }
        this.awaited = new TreeSet<>(followed);
        queue.listing(awaited.contains(Kind.POD));
        this.intake =
                new Intake(
                        state,
                        objects,
                        queue,
                        waiting,
                        statuses,
                        profiles.keySet(),
                        subscriptions,
                        new EventTimes(clock, ports.metrics()),
                        ports.log());
        this.books = new Books(state, objects, queue);
        this.queries =
                new EngineQueries(
                        books, new UnderWay(bindings, statuses, waiting), profiles, this::isReady);
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
                        this::podByKey, clock, ports.log(), ports.queueMetrics()));
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

    /// For a replay: tells it something that another engine was told. Engine thread only.
    void tellAgain(Message message) {
        mailbox.postInOrder(message);
    }

    /// Does one round: applies waiting messages (a bounded number), lets timers fire, and makes at
    /// most one attempt to place a pod. Engine thread only.
    ///
    /// @return whether there was anything to do
    public boolean step() {
        clock.read();
        taken = 0;
        mailbox.deciding(true);
        boolean isIdle = false;
        try {
            boolean worked = applyMessages();
            worked |= fireTimers();
            worked |= attempt();
            isIdle = !worked;
            if (worked && ports.metrics().isOn()) {
                tellSizes();
            }
            return worked;
        } finally {
            mailbox.deciding(false);
            if (!isIdle) {
                ports.journal().step(taken, clock.nowMillis(), clock.wallMillis());
            }
        }
    }

    private void tellSizes() {
        var counts = queue.counts();
        ports.metrics()
                .pending(counts.active(), counts.backoff(), counts.unschedulable(), counts.gated());
        ports.metrics().cached(state.nodeCountWithGhosts(), state.podCount(), state.assumedCount());
    }

    /// Questions do not count: they are in no record, and the number taken is.
    private boolean applyMessages() {
        int applied = 0;
        for (int asked = 0; applied < BATCH && asked < BATCH; ) {
            boolean isOwn = mailbox.hasOwn();
            var message = mailbox.poll();
            if (message == null) {
                return applied + asked > 0;
            }
            if (message instanceof Message.Ask(var question)) {
                asked++;
                long begin = beginning();
                answer(question);
                timed(message, begin);
                continue;
            }
            applied++;
            if (!isOwn) {
                taken++;
                ports.journal().told(message);
            }
            long begin = beginning();
            apply(message);
            timed(message, begin);
        }
        return true;
    }

    /// Where nobody looks no clock is read.
    private long beginning() {
        return ports.metrics().isOn() ? clock.nanos() : 0;
    }

    private void timed(Message message, long begin) {
        if (ports.metrics().isOn()) {
            ports.metrics().messageTaken(message.sort(), clock.nanos() - begin);
        }
    }

    private void apply(Message message) {
        switch (message) {
            case Message.Seen(var object) -> intake.seen(object);
            case Message.Gone(var kind, var namespace, var name) ->
                    intake.gone(kind, namespace, name);
            case Message.Synced(var kind) -> listed(kind);
            case Message.Outcome outcome -> errands.ended(outcome);
            case Message.PermitDecided word -> bindings.permitDecided(word);
            case Message.PreBindCancelled(var podUid, var why) ->
                    bindings.preBindCancelled(podUid, why);
            case Message.Activate(var pods) -> queue.activate(pods);
            case Message.Paused(var paused) -> isPaused = paused;
            case Message.Ask(var question) -> answer(question);
        }
    }

    private void listed(Kind kind) {
        awaited.remove(kind);
        queue.listing(awaited.contains(Kind.POD));
    }

    /// Whoever asks must leave everything as it is, or a replay, which is not asked, would go
    /// another way.
    private void answer(Message.Question question) {
        long before = books.version();
        mailbox.deciding(false);
        question.answer();
        mailbox.deciding(true);
        if (books.version() != before) {
            throw new IllegalStateException("a question changed the engine: " + question);
        }
    }

    private boolean fireTimers() {
        if (clock.nowMillis() < nextDeadlineMillis()) {
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

    /// The kinds whose first complete lists it waits for before it places a pod: those that its
    /// settings name, and kinds of plugins' own that they wait for.
    public Set<Kind> followedKinds() {
        return Collections.unmodifiableSet(followed);
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

    /// Waits for a message, at most until the next deadline. Engine thread only.
    void awaitMessage(long mostMillis) throws InterruptedException {
        long untilDeadline = nextDeadlineMillis() - ports.time().nowMillis();
        mailbox.await(Math.clamp(untilDeadline, 0, mostMillis));
    }

    /// Makes the calling thread the engine thread.
    public void adopt() {
        mailbox.adopt();
    }

    /// The last thing the engine thread does: closes the plugins that can be closed (P-252), and
    /// takes no more messages, so that nobody waits for room among them.
    public void retire() {
        for (var profile : profiles.values()) {
            for (var plugin : profile.plugins()) {
                if (plugin instanceof AutoCloseable open) {
                    close(plugin.name(), open);
                }
            }
        }
        shut();
    }

    /// Takes no more messages; whoever waits to be heard goes its way. From any thread.
    void shut() {
        mailbox.close();
    }

    private void close(String plugin, AutoCloseable open) {
        try {
            open.close();
        } catch (Throwable broken) {
            ports.log().error(broken, "Failed to close plugins", "plugin", plugin);
        }
    }

    /// Stops or resumes placing pods; the state is kept up to date meanwhile. A process that does
    /// not lead is paused. From any thread.
    public void pause(boolean paused) {
        mailbox.post(new Message.Paused(paused));
    }

    /// Answers a question on the engine thread, between two attempts. The question must not change
    /// anything, and the answer must not hold anything that the engine goes on changing. Fails
    /// where the engine has ended.
    public <T> CompletableFuture<T> ask(Function<EngineQueries, T> question) {
        var answer = new CompletableFuture<T>();
        mailbox.post(new Message.Ask(new Question<>(queries, question, answer)));
        return answer;
    }

    private record Question<T>(
            EngineQueries queries, Function<EngineQueries, T> question, CompletableFuture<T> reply)
            implements Message.Question {
        @Override
        public void answer() {
            try {
                reply.complete(question.apply(queries));
            } catch (Throwable broken) {
                reply.completeExceptionally(broken);
            }
        }

        @Override
        public void drop() {
            reply.completeExceptionally(new IllegalStateException("the engine has ended"));
        }
    }

    /// Compares what was seen with what is held, then writes what is held to the log. From any
    /// thread; what an operator gets on SIGUSR2.
    public void debug() {
        var _ =
                ask(engine -> {
                    new Comparer(objects, state, queue, ports.log()).compare();
                    new Dumper(state, queue, ports.log()).dump();
                    JournalDump.dump(ports.journal(), ports.log());
                    return true;
                });
    }

    /// A binding that is being prepared was stopped. From any thread.
    void preBindCancelled(String podUid, String message) {
        mailbox.post(new Message.PreBindCancelled(podUid, message));
    }

    /// Has pods tried now. From any thread.
    void activate(Collection<Pod> pods) {
        mailbox.post(new Message.Activate(List.copyOf(pods)));
    }

    /// What may be asked; engine thread only. Others [#ask].
    public EngineQueries queries() {
        return queries;
    }

    boolean hasNews() {
        return mailbox.size() > 0;
    }

    Books books() {
        return books;
    }

    public Map<String, Profile> profiles() {
        return profiles;
    }

    /// See [io.berth.api.handle.Handle#nominate].
    void nominate(Pod pod, String node, Consumer<@Nullable String> whenDone) {
        statuses.nominate(pod, node, whenDone);
    }

    /// See [io.berth.api.plugin.Handle#shared].
    <T> T shared(Class<T> type, Supplier<T> make) {
        return type.cast(shared.computeIfAbsent(type, key -> make.get()));
    }

    /// The wall clock as this step knows it; for other threads as it is.
    long wallMillis() {
        return mailbox.isOwner() ? clock.wallMillis() : ports.time().wallMillis();
    }

    Outside outside() {
        return outside;
    }

    Log log() {
        return ports.log();
    }

    boolean isFeatureOn(String gate) {
        return features.contains(gate);
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
        public Optional<String> nodeOf(String podUid) {
            return real().nodeOf(podUid);
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
