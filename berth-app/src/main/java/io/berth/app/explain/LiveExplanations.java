package io.berth.app.explain;

import io.berth.engine.EngineSettings;
import io.berth.engine.SystemTime;
import io.berth.engine.framework.Registry;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ClusterStudy.Context;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.Source;
import io.berth.ui.Studies;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
/// the engine stops for no longer than it takes to list what it knows.
///
/// The twin is made when somebody asks, serves for a moment, and goes when nobody asks any more.
/// While they go on asking, the next one is made beside the answers of the last, so that nobody
/// waits for it; each answer says how old its facts are. Questions are answered one by one, so that
/// no more than a core is taken from the scheduler and a moment of another, and that only where
/// nobody else wants it; few may wait. Thread-safe.
public final class LiveExplanations implements AutoCloseable {
    /// At work and waiting; more are refused.
    static final int MOST_QUESTIONS = 20;

    /// For how long a twin serves where it costs the engine next to nothing, and where it costs
    /// much.
    static final Duration FRESH = Duration.ofSeconds(1);

    private static final Duration STALE = Duration.ofSeconds(5);

    /// A twin serves for so many times as long as the engine stopped for it: then questions, as
    /// many as there may be, cost less than one percent of its time.
    private static final int TIMES_THE_STOP = 150;

    /// For so much longer it serves while the next one is being made.
    private static final Duration GRACE = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Too many ask at once.
    static final class BusyException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final Source.Kind kind;
    private final EngineSettings settings;
    private final Registry registry;
    private final String version;
    private final Supplier<CompletableFuture<LiveState>> engine;
    private final Duration fresh;
    private final Duration grace;
    private final AtomicInteger questions = new AtomicInteger();
    private final ScheduledThreadPoolExecutor worker =
            new ScheduledThreadPoolExecutor(1, BackSeat.factory("explain"));
    private final ExecutorService maker =
            Executors.newSingleThreadExecutor(BackSeat.factory("explain twin"));

    // Of the worker alone.
    private @Nullable Made current;
    private @Nullable Future<Made> next;
    private long lastAskedNanos;
    private boolean isWatched;

    /// @param version of this program
    /// @param engine asks the engine at work for what it knows
    public LiveExplanations(
            EngineSettings settings,
            Registry registry,
            String version,
            Supplier<CompletableFuture<LiveState>> engine) {
        this(Source.Kind.SCHEDULER, settings, registry, version, engine);
    }

    /// @param kind where what is known comes from
    public LiveExplanations(
            Source.Kind kind,
            EngineSettings settings,
            Registry registry,
            String version,
            Supplier<CompletableFuture<LiveState>> engine) {
        this(kind, settings, registry, version, engine, FRESH, GRACE);
    }

    /// @param fresh for how long a twin serves that costs the engine next to nothing
    /// @param grace for how much longer it serves while the next one is being made
    LiveExplanations(
            Source.Kind kind,
            EngineSettings settings,
            Registry registry,
            String version,
            Supplier<CompletableFuture<LiveState>> engine,
            Duration fresh,
            Duration grace) {
        this.kind = kind;
        this.settings = settings;
        this.registry = registry;
        this.version = version;
        this.engine = engine;
        this.fresh = fresh;
        this.grace = grace;
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        worker.setRemoveOnCancelPolicy(true);
    }

    /// @throws BusyException where too many wait already
    /// @throws ExplainException where there is no answer, with the reason
    <T> T ask(Function<ClusterStudy, T> question) throws BusyException {
        return ask(question, grace);
    }

    /// @param mayBeOlder by how much its facts may be older than a twin serves where the next one is
    ///   being made
    private <T> T ask(Function<ClusterStudy, T> question, Duration mayBeOlder)
            throws BusyException {
        if (questions.incrementAndGet() > MOST_QUESTIONS) {
            questions.decrementAndGet();
            throw new BusyException();
        }
        try {
            return answer(() -> question.apply(study(mayBeOlder)));
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

    /// The same for the page, which asks when it has heard of something new, and then not again: it
    /// waits for the next twin.
    public Studies studies() {
        return new Studies() {
            @Override
            public <T> T ask(Function<ClusterStudy, T> question) {
                try {
                    return LiveExplanations.this.ask(question, Duration.ZERO);
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

    /// A study, and what is known of its age.
    private record Made(ClusterStudy study, long takenNanos, Duration lifetime) {
        Duration age() {
            return Duration.ofNanos(System.nanoTime() - takenNanos);
        }

        boolean isFresh() {
            return age().compareTo(lifetime) < 0;
        }

        boolean mayServe(Duration beyond) {
            return age().compareTo(lifetime.plus(beyond)) < 0;
        }
    }

    private ClusterStudy study(Duration mayBeOlder) {
        lastAskedNanos = System.nanoTime();
        takeNextIfMade();
        var known = current;
        if (known == null || !known.isFresh()) {
            var coming = next;
            if (coming == null) {
                coming = maker.submit(this::make);
                next = coming;
            }
            if (known == null || !known.mayServe(mayBeOlder)) {
                forget();
                known = await(coming);
                take(known);
            }
        }
        known.study.age(known.age().toMillis());
        return known.study;
    }

    /// A failure was for nobody in particular: whoever has no other study tries anew and hears it.
    private void takeNextIfMade() {
        var coming = next;
        if (coming != null && coming.isDone()) {
            next = null;
            if (coming.state() == Future.State.SUCCESS) {
                forget();
                take(coming.resultNow());
            }
        }
    }

    private void take(Made made) {
        next = null;
        current = made;
        watchIdleness();
    }

    private Made make() {
        var state = await(engine.get());
        var made =
                new ClusterStudy(
                        settings,
                        registry,
                        new SystemTime(),
                        state.image(),
                        new Context(source(state), List.of(), state.queue(), List.of()));
        return new Made(made, state.takenNanos(), lifetime(fresh, state.stopped()));
    }

    /// @param stopped for how long the engine did nothing else than to list what it knows
    static Duration lifetime(Duration fresh, Duration stopped) {
        var wanted = stopped.multipliedBy(TIMES_THE_STOP);
        return wanted.compareTo(fresh) < 0 ? fresh : wanted.compareTo(STALE) > 0 ? STALE : wanted;
    }

    private Source source(LiveState state) {
        return new Source(
                kind,
                String.format(
                        Locale.ROOT,
                        "%s, %,d nodes and %,d pods",
                        kind.name().toLowerCase(Locale.ROOT),
                        state.image().nodes().size(),
                        state.image().pods().size()),
                "",
                0,
                "",
                version);
    }

    private void forgetIfIdle() {
        isWatched = false;
        takeNextIfMade();
        if (System.nanoTime() - lastAskedNanos >= IDLE.toNanos()) {
            forget();
        }
        if (current != null || next != null) {
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
        var known = current;
        current = null;
        if (known != null) {
            known.study.close();
        }
    }

    @Override
    public void close() {
        maker.shutdown();
        worker.execute(() -> {
            forget();
            var coming = next;
            if (coming != null && !coming.cancel(false) && coming.state() == Future.State.SUCCESS) {
                coming.resultNow().study.close();
            }
        });
        worker.shutdown();
    }
}
