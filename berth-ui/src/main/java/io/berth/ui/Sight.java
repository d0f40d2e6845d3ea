package io.berth.ui;

import io.berth.api.model.Pod;
import io.berth.lab.explain.QueueFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Looks at a cluster again and again for as long as somebody watches, and keeps what was seen.
///
/// A look costs whoever is looked at some of their time, so the pause after it is a hundred times
/// as long: all the pages of the world together take one percent. There are no buffers for
/// watchers: each takes what is new to it from what is kept, at its own speed. Thread-safe.
public final class Sight implements AutoCloseable {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int PAUSE_FACTOR = 100;

    private final Supplier<CompletableFuture<Sample>> cluster;
    private final Decisions decisions = new Decisions();
    private final AtomicInteger watchers = new AtomicInteger();
    private final AtomicInteger looking = new AtomicInteger();
    private final CountDownLatch hasLooked = new CountDownLatch(1);
    private final ScheduledThreadPoolExecutor worker =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("sight").daemon(true).factory());
    private volatile Picture picture = Picture.NONE;

    // Of the worker alone.
    private int queueSum;

    /// @param cluster asked for what there is, one call at a time
    public Sight(Supplier<CompletableFuture<Sample>> cluster) {
        this.cluster = cluster;
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /// Has the cluster looked at until what is returned is closed.
    Watch watch() {
        if (watchers.getAndIncrement() == 0 && looking.getAndIncrement() == 0) {
            again(Duration.ZERO);
        }
        return new Watch();
    }

    /// Somebody who watches.
    final class Watch implements AutoCloseable {
        @Override
        public void close() {
            watchers.decrementAndGet();
        }
    }

    Decisions decisions() {
        return decisions;
    }

    Picture picture() {
        return picture;
    }

    /// What is there now, looked at if nobody has done so yet.
    Picture fresh() throws InterruptedException {
        try (var _ = watch()) {
            var _ = hasLooked.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return picture;
        }
    }

    private void again(Duration pause) {
        if (!worker.isShutdown()) {
            var _ = worker.schedule(this::turn, pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void turn() {
        long begin = System.nanoTime();
        look();
        hasLooked.countDown();
        var pause = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(PAUSE_FACTOR);
        var longer = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
        if (watchers.get() > 0) {
            again(longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
            return;
        }
        looking.set(0);
        // Somebody may have come just now, and have seen that we were at work.
        if (watchers.get() > 0 && looking.getAndIncrement() == 0) {
            again(SHORTEST_PAUSE);
        }
    }

    private void look() {
        try {
            see(cluster.get().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException slow) {
            picture = picture.withProblem("the cluster cannot be looked at: no answer in time");
        } catch (ExecutionException | RuntimeException broken) {
            var cause = broken.getCause() == null ? broken : broken.getCause();
            picture = picture.withProblem("the cluster cannot be looked at: " + cause.getMessage());
        }
    }

    private void see(Sample sample) {
        var now = Instant.now();
        var image = sample.image();
        List<Pod> pods = image.pods();
        decisions.look(pods, sample.queue(), now);
        int pending = 0;
        int sum = 0;
        for (var pod : pods) {
            if (!pod.isAssigned() && !pod.isTerminal() && !pod.isTerminating()) {
                pending++;
                sum += Objects.hash(pod.uid(), pod.name(), facts(pod, sample.queue()));
            }
        }
        long version = picture.queueVersion() + (sum == queueSum ? 0 : 1);
        queueSum = sum;
        picture =
                new Picture(
                        picture.map().next(image), image, pods.size(), pending, version, now, "");
    }

    private static String facts(Pod pod, Map<String, QueueFacts> queue) {
        var facts = queue.get(pod.key());
        return facts == null ? "" : facts.queue();
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
