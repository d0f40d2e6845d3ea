package io.berth.app;

import io.berth.api.handle.Log;
import io.berth.api.model.Kind;
import io.berth.engine.Engine;
import io.berth.engine.query.EngineQueries;
import io.berth.kube.client.ApiClient;
import io.berth.kube.watch.ClusterWatch;
import io.berth.kube.watch.PendingPodsLast;
import io.berth.kube.watch.RawKeeper;
import io.berth.kube.watch.Resource;
import io.berth.kube.watch.WatchState;
import io.berth.kube.watch.WatchTimes;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the engine knows of the cluster: the watches that fill it, and whether they have.
/// Thread-safe.
final class Caches implements AutoCloseable {
    private static final Duration CHECK = Duration.ofMillis(5);

    /// A cluster whose API server is back waits for its scheduler, so the pauses stay short
    /// (P-144).
    static final WatchTimes TIMES =
            new WatchTimes(
                    WatchTimes.DEFAULT.firstBackoff(),
                    Duration.ofSeconds(5),
                    WatchTimes.DEFAULT.healthyAfter(),
                    WatchTimes.DEFAULT.minWatch(),
                    WatchTimes.DEFAULT.slack(),
                    WatchTimes.DEFAULT.initialSilence());

    private final ApiClient client;
    private final Collection<Kind> kinds;
    private final Engine engine;
    private final RawKeeper raw;
    private final boolean streaming;
    private final Log log;
    private @Nullable ClusterWatch watch;
    private volatile boolean closed;
    private volatile boolean filled;

    /// @param raw keeps objects as JSON
    /// @param streaming whether the first objects may come as a stream (gate `WatchListClient`)
    Caches(
            ApiClient client,
            Collection<Kind> kinds,
            Engine engine,
            RawKeeper raw,
            boolean streaming,
            Log log) {
        this.client = client;
        this.kinds = kinds;
        this.engine = engine;
        this.raw = raw;
        this.streaming = streaming;
        this.log = log;
    }

    /// Begins to follow the cluster and waits until the engine has seen all there is, however long
    /// that takes.
    ///
    /// @return false where it was closed before that
    boolean fill() {
        if (!start()) {
            return false;
        }
        try {
            while (!engineIsReady()) {
                if (closed) {
                    return false;
                }
                TimeUnit.NANOSECONDS.sleep(CHECK.toNanos());
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
        filled = true;
        log.info(3, "Handlers synced");
        return true;
    }

    private synchronized boolean start() {
        if (closed || watch != null) {
            return false;
        }
        var feed = new PendingPodsLast(engine, kinds);
        watch = ClusterWatch.start(client, kinds, feed, raw, TIMES, streaming);
        return true;
    }

    private boolean engineIsReady() throws InterruptedException {
        try {
            return engine.ask(EngineQueries::isReady).get(1, TimeUnit.SECONDS);
        } catch (TimeoutException busy) {
            return false;
        } catch (ExecutionException broken) {
            throw new IllegalStateException("the engine cannot say whether it is ready", broken);
        }
    }

    /// Whether everything that was there at the start has been seen (`sched-handler-sync`, P-138).
    boolean areFilled() {
        return filled;
    }

    /// The readiness check `api-server`: which watches get no answer at present, and why. Empty
    /// before they begin.
    Optional<String> problem() {
        List<WatchState> failing =
                states().stream().filter(state -> state.lastError() != null).toList();
        if (failing.isEmpty()) {
            return Optional.empty();
        }
        String kinds =
                failing.stream()
                        .map(state -> Resource.of(state.kind()).plural())
                        .sorted()
                        .collect(Collectors.joining(" "));
        return Optional.of(
                "%d of %d watches are broken: [%s]: %s"
                        .formatted(
                                failing.size(),
                                states().size(),
                                kinds,
                                failing.getFirst().lastError()));
    }

    /// How the watches are doing; empty before they begin.
    synchronized List<WatchState> states() {
        return watch == null ? List.of() : watch.states();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
    }
}
