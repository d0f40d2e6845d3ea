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
/// Questions are answered one by one, so that there is one twin and no more than one core is taken
/// from the scheduler, and that only where nobody else wants it; few may wait. Thread-safe.
public final class LiveExplanations implements AutoCloseable {
    /// At work and waiting; more are refused.
    static final int MOST_QUESTIONS = 20;

    /// For how long a twin serves where it costs the engine next to nothing, and where it costs
    /// much.
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final Duration STALE = Duration.ofSeconds(5);

    /// A twin serves for so many times as long as the engine stopped for it: then questions, as
    /// many as there may be, cost less than one percent of its time.
    private static final int TIMES_THE_STOP = 150;

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
    private final AtomicInteger questions = new AtomicInteger();
    private final ScheduledThreadPoolExecutor worker =
            new ScheduledThreadPoolExecutor(1, BackSeat.factory("explain"));

    // Of the worker alone.
    private @Nullable ClusterStudy study;
    private long takenNanos;
    private Duration lifetime = FRESH;
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
        this.kind = kind;
        this.settings = settings;
        this.registry = registry;
        this.version = version;
        this.engine = engine;
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        worker.setRemoveOnCancelPolicy(true);
    }

    /// @throws BusyException where too many wait already
    /// @throws ExplainException where there is no answer, with the reason
    <T> T ask(Function<ClusterStudy, T> question) throws BusyException {
        if (questions.incrementAndGet() > MOST_QUESTIONS) {
            questions.decrementAndGet();
            throw new BusyException();
        }
        try {
            return answer(() -> question.apply(study()));
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
                try {
                    return LiveExplanations.this.ask(question);
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

    private ClusterStudy study() {
        lastAskedNanos = System.nanoTime();
        var known = study;
        if (known != null && System.nanoTime() - takenNanos < lifetime.toNanos()) {
            return known;
        }
        forget();
        var state = await(engine.get());
        var made =
                new ClusterStudy(
                        settings,
                        registry,
                        new SystemTime(),
                        state.image(),
                        new Context(source(state), List.of(), state.queue(), List.of()));
        study = made;
        takenNanos = state.takenNanos();
        lifetime = lifetime(state.stopped());
        watchIdleness();
        return made;
    }

    /// @param stopped for how long the engine did nothing else than to list what it knows
    static Duration lifetime(Duration stopped) {
        var wanted = stopped.multipliedBy(TIMES_THE_STOP);
        return wanted.compareTo(FRESH) < 0 ? FRESH : wanted.compareTo(STALE) > 0 ? STALE : wanted;
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
                (System.nanoTime() - state.takenNanos()) / 1_000_000,
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
        var known = study;
        study = null;
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
