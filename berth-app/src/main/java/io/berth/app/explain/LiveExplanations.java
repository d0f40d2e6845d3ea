package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.engine.EngineSettings;
import io.berth.engine.SystemTime;
import io.berth.engine.framework.Registry;
import io.berth.lab.Mirror;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.Pools;
import io.berth.lab.explain.QueueFacts;
import io.berth.lab.explain.Source;
import io.berth.ui.Studies;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Answers questions about the cluster that a scheduler works in, on a twin of its engine, so that
/// the engine stops for no longer than it takes to say what has changed since the last question.
///
/// The twin is made when somebody asks, is told what has changed before each further question (see
/// [Mirror]), and goes when nobody asks any more. Whoever asks about one pod is told what is so at
/// that moment; all pods that wait are listed less often, since the engine stops for longer then.
/// Questions are answered one by one, so that there is one twin and no more than one core is taken
/// from the scheduler; few may wait. Thread-safe.
public final class LiveExplanations implements AutoCloseable {
    /// At work and waiting; more are refused.
    static final int MOST_QUESTIONS = 20;

    /// A twin with another order than its engine serves for at least so long.
    private static final Duration ORDER = Duration.ofSeconds(5);

    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Too many ask at once.
    static final class BusyException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final String ALL_PODS = "";

    /// No name of a pod: nothing is to be said of any.
    private static final String NO_POD = "/";

    private static final String PROMISES =
            "volumes and devices that were promised to pods a moment ago are taken to be free until"
                    + " that is written";

    private final Source.Kind kind;
    private final EngineSettings settings;
    private final Registry registry;
    private final String version;
    private final LiveLook.Engine engine;
    private final AtomicInteger questions = new AtomicInteger();
    private final ScheduledThreadPoolExecutor worker =
            new ScheduledThreadPoolExecutor(1, BackSeat.factory("explain"));

    // Of the worker alone.
    private @Nullable Mirror mirror;
    private Pools pools = new Pools();
    private @Nullable Listing listing;
    private long madeNanos;
    private long lastAskedNanos;
    private boolean isWatched;

    /// All pods without a node, as they were a moment ago.
    private record Listing(
            List<Pod> pods,
            Map<String, QueueFacts> queue,
            boolean hasPromises,
            long takenNanos,
            Duration lifetime) {
        static Listing of(LiveLook look) {
            return new Listing(
                    look.pods(),
                    look.queue(),
                    look.hasPromises(),
                    look.takenNanos(),
                    ImageLooks.lifetime(look.stopped()));
        }

        /// With one pod as it is now: it may have come since, have gone, or be another.
        Listing with(String key, LiveLook look) {
            if (key.isEmpty()) {
                return this;
            }
            var byKey = new LinkedHashMap<String, Pod>();
            pods.forEach(pod -> byKey.put(pod.key(), pod));
            look.pods().forEach(pod -> byKey.put(pod.key(), pod));
            if (look.pods().stream().noneMatch(pod -> pod.key().equals(key))) {
                byKey.remove(key);
            }
            var facts = new HashMap<>(queue);
            facts.remove(key);
            facts.putAll(look.queue());
            return new Listing(
                    List.copyOf(byKey.values()), facts, hasPromises, takenNanos, lifetime);
        }

        boolean isFresh() {
            return System.nanoTime() - takenNanos < lifetime.toNanos();
        }
    }

    /// @param version of this program
    /// @param engine the one at work
    public LiveExplanations(
            EngineSettings settings, Registry registry, String version, LiveLook.Engine engine) {
        this(Source.Kind.SCHEDULER, settings, registry, version, engine);
    }

    /// About what images say that are made when somebody asks.
    public LiveExplanations(
            EngineSettings settings,
            Registry registry,
            String version,
            Supplier<CompletableFuture<LiveState>> images) {
        this(Source.Kind.SCHEDULER, settings, registry, version, images);
    }

    /// @param kind where what is known comes from
    public LiveExplanations(
            Source.Kind kind,
            EngineSettings settings,
            Registry registry,
            String version,
            Supplier<CompletableFuture<LiveState>> images) {
        this(kind, settings, registry, version, new ImageLooks(images));
    }

    /// @param kind where what is known comes from
    public LiveExplanations(
            Source.Kind kind,
            EngineSettings settings,
            Registry registry,
            String version,
            LiveLook.Engine engine) {
        this.kind = kind;
        this.settings = ClusterStudy.ofSome(settings);
        this.registry = registry;
        this.version = version;
        this.engine = engine;
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        worker.setRemoveOnCancelPolicy(true);
    }

    /// @throws BusyException where too many wait already
    /// @throws ExplainException where there is no answer, with the reason
    <T> T ask(Function<ClusterStudy, T> question) throws BusyException {
        return ask(Wanted.ALL, question);
    }

    /// @param wanted what the question is about
    /// @throws BusyException where too many wait already
    /// @throws ExplainException where there is no answer, with the reason
    <T> T ask(Wanted wanted, Function<ClusterStudy, T> question) throws BusyException {
        if (questions.incrementAndGet() > MOST_QUESTIONS) {
            questions.decrementAndGet();
            throw new BusyException();
        }
        try {
            return answer(() -> answered(wanted, question));
        } finally {
            questions.decrementAndGet();
        }
    }

    /// What nobody waits for any more is not worked out.
    private <T> T answer(Callable<T> work) {
        Future<T> answer;
        try {
            answer = worker.submit(work);
        } catch (RejectedExecutionException closed) {
            throw new ExplainException("the scheduler is shutting down", closed);
        }
        try {
            return await(answer);
        } finally {
            answer.cancel(false);
        }
    }

    /// The same for the page.
    public Studies studies() {
        return new Studies() {
            @Override
            public <T> T ask(Function<ClusterStudy, T> question) {
                return ask(Wanted.ALL, question);
            }

            @Override
            public <T> T ask(String pod, Function<ClusterStudy, T> question) {
                return ask(Wanted.pod(pod), question);
            }

            private <T> T ask(Wanted wanted, Function<ClusterStudy, T> question) {
                try {
                    return LiveExplanations.this.ask(wanted, question);
                } catch (LiveExplanations.BusyException busy) {
                    throw new Studies.BusyException();
                }
            }
        };
    }

    private static <T> T await(Future<T> answer) {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw new ExplainException(
                    "no answer within " + PATIENCE.toSeconds() + " s; try again later", slow);
        } catch (ExecutionException broken) {
            if (broken.getCause() instanceof ExplainException told) {
                throw told;
            }
            throw new ExplainException(String.valueOf(broken.getCause()), broken);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ExplainException("interrupted", stop);
        }
    }

    private <T> T answered(Wanted wanted, Function<ClusterStudy, T> question) {
        lastAskedNanos = System.nanoTime();
        try {
            var study = study(wanted);
            return answered(study, question);
        } catch (ExplainException told) {
            throw told;
        } catch (RuntimeException | Error broken) {
            // Something may be left of what was tried, or half of what was told.
            forget();
            throw broken;
        }
    }

    /// A twin that may not be as it was is given up at once, at work or not.
    private <T> T answered(ClusterStudy study, Function<ClusterStudy, T> question) {
        try {
            var answer = question.apply(study);
            if (study.isDoubtful()) {
                forget();
            }
            return answer;
        } catch (ExplainException told) {
            if (told.leavesDoubt() || study.isDoubtful()) {
                forget();
            }
            throw told;
        }
    }

    private ClusterStudy study(Wanted wanted) {
        var known = listing;
        boolean isListed = wanted.isAll() && known != null && known.isFresh();
        var look = look(wanted.isAll() && !isListed ? ALL_PODS : one(wanted));
        var made = follow(look);
        var pods = look.pods();
        var queue = look.queue();
        boolean hasPromises = look.hasPromises();
        if (wanted.isAll()) {
            // After a mirror was made anew there is no listing; what was looked at is all there is.
            var listed =
                    isListed && known != null ? known.with(wanted.pod(), look) : Listing.of(look);
            listing = listed;
            pods = listed.pods;
            queue = listed.queue;
            hasPromises |= listed.hasPromises;
        }
        made.withoutNode(pods);
        watchIdleness();
        return new ClusterStudy(
                made,
                pools,
                new Context(
                        source(made, look),
                        List.of(),
                        queue,
                        hasPromises ? List.of(PROMISES) : List.of()));
    }

    private static String one(Wanted wanted) {
        return wanted.pod().isEmpty() ? NO_POD : wanted.pod();
    }

    private LiveLook look(String pod) {
        var known = mirror;
        return await(engine.look(known == null ? null : known.mark(), pod));
    }

    /// A mirror that visits nodes in another order than its engine is made anew, but not all the
    /// time: what an order is about, such as who is first of equals, may wait.
    private Mirror follow(LiveLook look) {
        var known = mirror;
        if (known == null || look.difference().isWhole()) {
            return made(look);
        }
        boolean isInOrder = known.follow(look.difference());
        if (isInOrder || System.nanoTime() - madeNanos < ORDER.toNanos()) {
            return known;
        }
        drop();
        return made(look(NO_POD));
    }

    private Mirror made(LiveLook look) {
        drop();
        var made = Mirror.of(settings, registry, new SystemTime(), look.difference());
        mirror = made;
        madeNanos = System.nanoTime();
        return made;
    }

    private Source source(Mirror made, LiveLook look) {
        return new Source(
                kind,
                String.format(
                        Locale.ROOT,
                        "%s, %,d nodes and %,d pods",
                        kind.name().toLowerCase(Locale.ROOT),
                        made.nodesByName().size(),
                        made.podCount()),
                "",
                (System.nanoTime() - look.takenNanos()) / 1_000_000,
                "",
                version);
    }

    private void forgetIfIdle() {
        isWatched = false;
        if (System.nanoTime() - lastAskedNanos >= IDLE.toNanos()) {
            forget();
        } else {
            watchIdleness();
        }
    }

    private void watchIdleness() {
        if (!isWatched) {
            isWatched = true;
            var _ = worker.schedule(this::forgetIfIdle, IDLE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void forget() {
        drop();
        engine.rest();
    }

    /// Without waiting for a twin that may hang.
    private void drop() {
        var known = mirror;
        mirror = null;
        pools = new Pools();
        listing = null;
        if (known != null) {
            known.close();
        }
    }

    @Override
    public void close() {
        worker.execute(this::forget);
        worker.shutdown();
    }
}
