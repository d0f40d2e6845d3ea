package io.berth.bench.stress;

import io.berth.app.Wiring;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// Asks the engine something again and again and keeps the longest time without an answer. A second
/// thread only sleeps: what it oversleeps is how long the machine gave nobody a processor, and is
/// taken off.
final class EngineProbe implements AutoCloseable {
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long PATIENCE_SECONDS = 120;

    private final Wiring scheduler;
    private final Thread asking;
    private final Thread sleeping;
    private volatile boolean closed;
    private volatile long askedNanos;
    private volatile long oversleptNanos;
    private volatile long longestNanos;
    private volatile long longestMachineNanos;

    EngineProbe(Wiring scheduler) {
        this.scheduler = scheduler;
        this.asking = Thread.ofPlatform().name("probe").daemon().start(this::ask);
        this.sleeping = Thread.ofPlatform().name("sleeper").daemon().start(this::sleep);
    }

    private void ask() {
        while (!closed) {
            oversleptNanos = 0;
            askedNanos = System.nanoTime();
            try {
                scheduler.pods().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException stop) {
                return;
            } catch (ExecutionException | TimeoutException noAnswer) {
                // Counted as what it is: a long time without an answer.
            }
            note();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void note() {
        long nanos = System.nanoTime() - askedNanos - oversleptNanos;
        longestNanos = Math.max(longestNanos, nanos);
    }

    private void sleep() {
        while (!closed) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(PAUSE_NANOS);
            long overslept = Math.max(0, System.nanoTime() - begin - PAUSE_NANOS);
            oversleptNanos = Math.max(oversleptNanos, overslept);
            longestMachineNanos = Math.max(longestMachineNanos, overslept);
        }
    }

    /// Forgets what was slow until now.
    void warm() {
        longestNanos = 0;
        longestMachineNanos = 0;
    }

    /// The longest time without an answer, what is still under way included.
    long longestNanos() {
        return Math.max(
                longestNanos, System.nanoTime() - askedNanos - oversleptNanos - PAUSE_NANOS);
    }

    /// The longest time for which the machine gave a thread no processor.
    long longestMachineNanos() {
        return longestMachineNanos;
    }

    @Override
    public void close() {
        closed = true;
        asking.interrupt();
        sleeping.interrupt();
    }
}
