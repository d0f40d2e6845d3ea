package io.berth.app;

import io.berth.api.handle.Log;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The scheduler of this process, one life after another (P-232).
///
/// ```
///  build ─► start ─┬─ asked to stop, or another leads ───────────────────────► over
///    ▲             └─ the lease could not be renewed ─► end, pause ─┐
///    └──────────────────────────────────────────────────────────────┘
/// ```
///
/// An API server that is away for longer than the renewal deadline ends a life for good: its fence
/// stays closed and what it had not sent is dropped. The next one knows nothing of it and lists the
/// cluster anew. All it shares is what belongs to the process: port, log, metrics, and the name in
/// the lease, by which it takes back what nobody else has taken.
///
/// [#run] is the work of one thread; others may ask for the [#current] life.
final class Lives implements AutoCloseable {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LOOK = Duration.ofMillis(5);

    private final Supplier<Wiring> builder;
    private final StopSignal stop;
    private final Runnable taken;
    private final Log log;
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final Semaphore news = new Semaphore(0);
    private volatile Wiring current;
    private boolean competes;
    private boolean isOver;

    /// Builds the first life, which does nothing yet.
    ///
    /// @param taken called where another leads
    Lives(Supplier<Wiring> builder, StopSignal stop, Runnable taken, Log log) {
        this.builder = builder;
        this.stop = stop;
        this.taken = taken;
        this.log = log;
        this.current = builder.get();
    }

    /// The life that runs; the one that ended last until the next is there.
    Wiring current() {
        return current;
    }

    /// Lets the first life look around, while the rest of the process is made ready.
    void follow() {
        current.follow();
    }

    /// Lets the first life lead as soon as it knows the cluster. Otherwise [#run] does.
    void compete() {
        if (!competes) {
            competes = true;
            listen();
            current.compete();
        }
    }

    /// Leaves the first life alone until it knows the cluster and for some time after that, but no
    /// longer than until the limit. A cluster that cannot be reached is not waited for.
    ///
    /// @param endNanos the limit, on the clock that only goes forward
    void settle(Duration after, long endNanos) throws InterruptedException {
        long end = endNanos - after.toNanos();
        while (current.isFollowing() && !current.isSynced() && System.nanoTime() - end < 0) {
            if (current.watchProblem().isPresent() || stop.await(LOOK)) {
                return;
            }
        }
        stop.await(after);
    }

    /// Lives until the process is asked to stop; after [#follow].
    void run() throws InterruptedException {
        stop.whenAsked(news::release);
        compete();
        while (true) {
            news.acquire();
            if (stop.isAsked() || !beginAgain()) {
                return;
            }
        }
    }

    private void listen() {
        current.whenLost(how -> {
            switch (how) {
                case TAKEN -> taken.run();
                case LAPSED -> news.release();
            }
        });
    }

    /// @return false where the process has to end
    private boolean beginAgain() throws InterruptedException {
        log.error(null, "Leaderelection lost");
        isOver = true;
        if (!current.end()) {
            log.error(null, "A plugin does not return, so that nothing new can begin");
            taken.run();
            return false;
        }
        Duration pause = pause();
        log.info(
                0,
                "No other leader was seen, competing for the lease again",
                "pause",
                pause.toMillis() + "ms");
        if (stop.await(pause)) {
            return false;
        }
        current = builder.get();
        isOver = false;
        listen();
        current.start();
        return true;
    }

    /// Long enough for writes that the last life had sent: a picture of the cluster that is made
    /// afterwards has them in it.
    private Duration pause() {
        Duration jittered = SHORTEST_PAUSE.plusNanos(random.nextLong(SHORTEST_PAUSE.toNanos()));
        Duration left = current.leftForWritesSent();
        return left.compareTo(jittered) > 0 ? left : jittered;
    }

    @Override
    public void close() {
        if (!isOver) {
            current.close();
        }
    }
}
