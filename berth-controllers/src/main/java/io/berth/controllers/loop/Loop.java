package io.berth.controllers.loop;

import io.berth.controllers.client.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Workers that bring keys to a [Reconciler]. A key that failed comes back after a pause that grows
/// with every failure; chance is added, so that keys that failed together do not come back
/// together.
public final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int TOLD_FROM = 6;

    private final String name;
    private final int workers;
    private final Timer timer;
    private final Reconciler reconciler;
    private final WorkQueue queue = new WorkQueue();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Map<String, Planned> planned = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    private record Planned(long atNanos, Runnable cancel) {}

    public Loop(String name, int workers, Timer timer, Reconciler reconciler) {
        this.name = name;
        this.workers = workers;
        this.timer = timer;
        this.reconciler = reconciler;
    }

    public void start() {
        for (int i = 0; i < workers; i++) {
            threads.add(Thread.ofVirtual().name(name + "-" + i).start(this::work));
        }
    }

    /// Has a key looked at soon.
    public void enqueue(String key) {
        queue.add(key);
    }

    /// Has a key looked at later. Of several times the earliest counts.
    public void enqueueAfter(String key, Duration delay) {
        long at = System.nanoTime() + delay.toNanos();
        planned.compute(
                key,
                (_, before) -> {
                    if (before != null && before.atNanos - at <= 0) {
                        return before;
                    }
                    if (before != null) {
                        before.cancel.run();
                    }
                    return new Planned(at, timer.after(delay, () -> due(key, at)));
                });
    }

    private void due(String key, long at) {
        planned.computeIfPresent(key, (_, plan) -> plan.atNanos == at ? null : plan);
        queue.add(key);
    }

    /// How many keys wait or are worked on.
    public int size() {
        return queue.size();
    }

    private void work() {
        try {
            for (Optional<String> key = queue.take(); key.isPresent(); key = queue.take()) {
                try {
                    attempt(key.get());
                } finally {
                    queue.done(key.get());
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(String key) {
        try {
            reconciler.reconcile(key);
            failures.remove(key);
        } catch (ApiFailure failure) {
            failed(key, failure, failure.isConflict() || failure.isAlreadyThere());
        } catch (RuntimeException mistake) {
            LOG.error("{} failed at {}", name, key, mistake);
            failed(key, mistake, true);
        }
    }

    private void failed(String key, RuntimeException failure, boolean quiet) {
        if (closed) {
            return;
        }
        int count = failures.merge(key, 1, Integer::sum);
        if (!quiet && count == TOLD_FROM) {
            LOG.warn("{} keeps failing at {}: {}", name, key, failure.getMessage());
        }
        long most =
                Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(count, 16));
        enqueueAfter(
                key,
                Duration.ofMillis(most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1)));
    }

    @Override
    public void close() {
        closed = true;
        queue.close();
        threads.forEach(Thread::interrupt);
    }
}
