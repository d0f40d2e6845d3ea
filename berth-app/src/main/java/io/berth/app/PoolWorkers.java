package io.berth.app;

import io.berth.engine.port.Workers;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Threads that help the engine with plugins that judge node by node. The engine thread works along
/// and waits for the others, so nothing else changes meanwhile.
///
/// Work is taken in chunks; which thread takes which does not matter for the outcome, since every
/// call writes only what belongs to its index.
final class PoolWorkers implements Workers, AutoCloseable {
    private final int parallelism;
    private final ExecutorService pool;

    PoolWorkers(int parallelism) {
        this.parallelism = parallelism;
        this.pool =
                Executors.newFixedThreadPool(
                        Math.max(1, parallelism - 1),
                        Thread.ofPlatform().name("worker-", 1).daemon(true).factory());
    }

    @Override
    public int parallelism() {
        return parallelism;
    }

    @Override
    public void forEach(int count, IntConsumer body) {
        int chunk = chunk(count, parallelism);
        int helpers = Math.min(parallelism, Math.ceilDiv(count, chunk)) - 1;
        var next = new AtomicInteger();
        var failure = new AtomicReference<Failure>();
        Runnable share = () -> takeChunks(count, chunk, body, next, failure);
        var done = new CountDownLatch(Math.max(0, helpers));
        for (int i = 0; i < helpers; i++) {
            start(pool, share, done);
        }
        share.run();
        awaitUninterruptibly(done);
        Failure.throwIfAny(failure.get());
    }

    /// A thread that cannot be had is done without.
    private static void start(Executor threads, Runnable share, CountDownLatch done) {
        try {
            threads.execute(() -> {
                try {
                    share.run();
                } finally {
                    done.countDown();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError _) {
            done.countDown();
        }
    }

    @Override
    public void waitForEach(int count, IntConsumer body) {
        var failure = new AtomicReference<Failure>();
        var done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            int index = i;
            Thread.ofVirtual()
                    .name("call-" + i)
                    .start(() -> {
                        try {
                            call(index, body, failure);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        awaitUninterruptibly(done);
        Failure.throwIfAny(failure.get());
    }

    /// How many calls a thread takes at a time: few enough that all have their share, many enough
    /// that taking costs little (E-138).
    static int chunk(int count, int parallelism) {
        return Math.max(1, Math.min((int) Math.sqrt(count), count / parallelism + 1));
    }

    /// What a call threw, of whatever kind: on a helper thread nobody else would hear of it, and
    /// what the call left undone would count as done.
    private record Failure(int index, Throwable cause) {
        static void throwIfAny(@Nullable Failure first) {
            switch (first == null ? null : first.cause) {
                case null -> {}
                case RuntimeException broken -> throw broken;
                case Error broken -> throw broken;
                case Throwable broken -> throw new UndeclaredThrowableException(broken);
            }
        }
    }

    private static void takeChunks(
            int count,
            int chunk,
            IntConsumer body,
            AtomicInteger next,
            AtomicReference<Failure> failure) {
        for (int from = next.getAndAdd(chunk); from < count; from = next.getAndAdd(chunk)) {
            for (int i = from; i < Math.min(from + chunk, count); i++) {
                if (!call(i, body, failure)) {
                    break;
                }
            }
        }
    }

    /// Notes a failure; that of the lowest index stands.
    private static boolean call(int index, IntConsumer body, AtomicReference<Failure> failure) {
        try {
            body.accept(index);
            return true;
        } catch (Throwable broken) {
            var mine = new Failure(index, broken);
            failure.accumulateAndGet(mine, (a, b) -> a == null || b.index() < a.index() ? b : a);
            return false;
        }
    }

    /// The state must not change while a helper reads it, so even an interrupted engine waits.
    private static void awaitUninterruptibly(CountDownLatch done) {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // Whoever waits for helpers that never began would wait for ever.
        pool.shutdownNow().forEach(Runnable::run);
    }
}
