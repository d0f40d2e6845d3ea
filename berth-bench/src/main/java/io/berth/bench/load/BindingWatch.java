package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.ControlPlane;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/// Notes when the measured pods of a namespace get their nodes.
final class BindingWatch implements AutoCloseable {
    private static final Duration TELLING = Duration.ofSeconds(1);

    private final PodWatch watch;
    private final Set<String> bound = new HashSet<>();
    private long firstNanos;
    private long lastNanos;

    /// @param version from which version on; everything before counts as not bound
    BindingWatch(ControlPlane plane, String namespace, String version) {
        watch = new PodWatch(plane, namespace, version, this::note);
    }

    private synchronized void note(JsonNode pod) {
        String name = pod.at("/metadata/name").asText();
        if (name.startsWith("p") && pod.at("/spec").has("nodeName") && bound.add(name)) {
            lastNanos = System.nanoTime();
            if (firstNanos == 0) {
                firstNanos = lastNanos;
            }
            notifyAll();
        }
    }

    /// Waits until a scheduler has had so many pods bound.
    ///
    /// @param progress is told now and then how many are
    /// @throws IllegalStateException where the time is up before, or the scheduler has ended
    void await(int count, Duration limit, Contestant.Run scheduler, IntConsumer progress)
            throws InterruptedException {
        if (!await(count, limit, scheduler::isAlive, progress)) {
            throw new IllegalStateException(
                    "only %d of %d pods were placed %s%n%s"
                            .formatted(
                                    count(),
                                    count,
                                    scheduler.isAlive()
                                            ? "within " + limit.toSeconds() + " s"
                                            : "before the scheduler ended",
                                    scheduler.lastWords()));
        }
    }

    /// Waits until so many pods are bound; false where that is not to be expected any more.
    synchronized boolean await(
            int count, Duration limit, BooleanSupplier isAlive, IntConsumer progress)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (bound.size() < count) {
            progress.accept(bound.size());
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0 || !isAlive.getAsBoolean()) {
                return false;
            }
            wait(Math.min(leftMillis, TELLING.toMillis()));
        }
        return true;
    }

    synchronized int count() {
        return bound.size();
    }

    synchronized long firstNanos() {
        return firstNanos;
    }

    synchronized long lastNanos() {
        return lastNanos;
    }

    @Override
    public void close() {
        watch.close();
    }
}
