package io.berth.engine;

import io.berth.engine.query.EngineQueries;
import io.berth.engine.state.CorruptStateException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The one platform thread that drives an engine in a process.
///
/// ```
///   new ──start──► running ──close──► draining (bindings under way are awaited) ──► ended
/// ```
public final class EngineThread implements AutoCloseable {
    private static final long LONGEST_NAP_MILLIS = 1_000;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);

    private final Engine engine;
    private final Thread thread;
    private final Consumer<Throwable> faults;
    private final AtomicLong rounds = new AtomicLong();
    private volatile boolean isIdle;
    private volatile boolean closing;
    private volatile boolean isAskedToEnd;

    /// @param faults told of what must not happen: our own mistakes and a corrupt state
    public EngineThread(Engine engine, Consumer<Throwable> faults) {
        this.engine = engine;
        this.faults = faults;
        this.thread = Thread.ofPlatform().name("engine").daemon(true).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        engine.adopt();
        try {
            while (!closing) {
                round();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            engine.retire();
        }
    }

    /// An exception that reaches this place is a mistake of ours. It must not end the thread
    /// silently, for then nothing would ever be scheduled again.
    private void round() throws InterruptedException {
        rounds.lazySet(rounds.get() + 1);
        isIdle = false;
        try {
            if (!engine.step()) {
                isIdle = true;
                engine.awaitMessage(LONGEST_NAP_MILLIS);
            }
        } catch (CorruptStateException corrupt) {
            faults.accept(corrupt);
            closing = true;
        } catch (RuntimeException mistake) {
            engine.log().error(mistake, "Observed a panic");
            faults.accept(mistake);
        } catch (Error fatal) {
            // Memory has run out, or worse: going on would be guesswork.
            faults.accept(fatal);
            closing = true;
        }
    }

    /// How often the thread has come round. It does so at least every second, unless a step hangs.
    long rounds() {
        return rounds.get();
    }

    /// Whether its last step has ended and it waits for the next message.
    boolean isIdle() {
        return isIdle;
    }

    Thread thread() {
        return thread;
    }

    /// Whether it was asked to end, or ends because of a fault.
    boolean isClosing() {
        return closing;
    }

    /// Whether the thread has ended though nobody asked it to.
    boolean hasDied() {
        return !isAskedToEnd && thread.getState() == Thread.State.TERMINATED;
    }

    /// Stops placing pods and waits for the writes under way. Pods that wait for a permission are
    /// not waited for: nothing has been written about them that would be lost.
    ///
    /// @return whether everything under way came to its end in time
    public boolean drain(Duration limit) {
        engine.pause(true);
        long deadline = System.nanoTime() + limit.toNanos();
        boolean drained = false;
        try {
            while (thread.isAlive() && System.nanoTime() < deadline) {
                int underWay =
                        engine.ask(EngineQueries::writesUnderWay)
                                .get(patienceNanos(deadline), TimeUnit.NANOSECONDS);
                if (underWay == 0) {
                    drained = true;
                    break;
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            engine.log().error(e, "The engine did not answer while closing");
        }
        return drained;
    }

    /// An engine that does not answer within this will not do so before it is too late.
    private static long patienceNanos(long deadline) {
        return Math.clamp(deadline - System.nanoTime(), 0, LONGEST_ANSWER.toNanos());
    }

    /// Drains, then ends the thread.
    public boolean drainAndClose(Duration limit) {
        boolean drained = drain(limit);
        close();
        return drained;
    }

    /// Ends the thread after the step it is in, and hears nobody any more. Does not wait for it: a
    /// plugin that hangs must not keep anybody who waits to be heard.
    @Override
    public void close() {
        isAskedToEnd = true;
        closing = true;
        thread.interrupt();
        engine.shut();
    }

    /// Waits for the thread's end after [#close].
    ///
    /// @return whether it came in time; a plugin that hangs keeps it
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        return thread.getState() == Thread.State.NEW || thread.join(limit);
    }
}
