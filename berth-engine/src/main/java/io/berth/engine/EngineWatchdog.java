package io.berth.engine;

import io.berth.api.handle.Log;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks whether the engine comes to the end of its steps, and says so where it does not: a plugin
/// that never returns would otherwise go unnoticed, while the lease is renewed and no pod is
/// placed.
///
/// ```
///   well ──no step ended for the limit──► stalled (told once, with stacks)
///    ▲                                       │
///    └──────────── a step ended ─────────────┘
/// ```
///
/// Time counts only while this looks: after a pause of the whole process, by a signal or by the
/// machine, the engine has all of its time again.
public final class EngineWatchdog implements AutoCloseable {
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(1);
    private static final int LOOKS = 20;
    private static final Duration LONGEST_PERIOD = Duration.ofSeconds(1);

    private final EngineThread engine;
    private final long limitNanos;
    private final long periodNanos;
    private final Log log;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private long lastRounds = -1;
    private long lastLookNanos;
    private long stalledNanos;
    private volatile boolean isStalled;

    /// @param limit for how long a step may take
    public EngineWatchdog(EngineThread engine, Duration limit, Log log) {
        this.engine = engine;
        this.limitNanos = limit.toNanos();
        this.periodNanos = Math.clamp(limitNanos / LOOKS, 1, LONGEST_PERIOD.toNanos());
        this.log = log;
        this.thread = Thread.ofPlatform().name("engine-watchdog").daemon(true).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(periodNanos, TimeUnit.NANOSECONDS)) {
                look(System.nanoTime());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// One look, as the watchdog's thread has it every now and then.
    void look(long nowNanos) {
        long rounds = engine.rounds();
        if (rounds != lastRounds || engine.isIdle()) {
            lastRounds = rounds;
            stalledNanos = 0;
            goesOn();
        } else {
            // Two looks far apart: nobody ran in between, neither this thread nor the engine.
            stalledNanos += Math.min(nowNanos - lastLookNanos, 2 * periodNanos);
        }
        lastLookNanos = nowNanos;
        if (stalledNanos >= limitNanos && !isStalled && !engine.isClosing()) {
            isStalled = true;
            log.error(
                    null,
                    "The engine has not finished a step for long",
                    "seconds",
                    TimeUnit.NANOSECONDS.toSeconds(stalledNanos),
                    "stacks",
                    ThreadDump.of(engine.thread()));
        }
    }

    private void goesOn() {
        if (isStalled) {
            isStalled = false;
            log.info(0, "The engine goes on");
        }
    }

    /// The health check `engine`: what is wrong, if anything. From any thread.
    public Optional<String> problem() {
        if (engine.hasDied()) {
            return Optional.of("the engine thread has ended");
        }
        return isStalled
                ? Optional.of(
                        "the engine has not finished a step for %d seconds"
                                .formatted(TimeUnit.NANOSECONDS.toSeconds(limitNanos)))
                : Optional.empty();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
