package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.e2e.ControlPlane;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/// Notes when the measured pods of a namespace get their nodes.
final class BindingWatch implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration TELLING = Duration.ofSeconds(1);

    private final ControlPlane plane;
    private final String pods;
    private final HttpClient client;
    private final Thread thread;
    private final Set<String> bound = new HashSet<>();
    private long firstNanos;
    private long lastNanos;
    private volatile boolean closed;

    /// @param version from which version on; everything before counts as not bound
    BindingWatch(ControlPlane plane, String namespace, String version) {
        this.plane = plane;
        pods = "/api/v1/namespaces/" + namespace + "/pods?labelSelector=app!%3Dnever";
        client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
        thread = Thread.ofVirtual().name("bindings").start(() -> read(version));
    }

    private void read(String version) {
        String from = version;
        while (true) {
            try {
                follow(from);
                if (!closed) {
                    from = list();
                }
            } catch (IOException | UncheckedIOException | IllegalStateException cut) {
                // By the server or by us, or it is too busy to answer: once more, from there.
            } catch (InterruptedException stop) {
                return;
            }
            if (closed) {
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /// Returns when the server ends the watch, as it does with readers that fall behind.
    private void follow(String version) throws IOException, InterruptedException {
        var path = pods + "&watch=true&resourceVersion=" + version;
        var request = HttpRequest.newBuilder(plane.url().resolve(path)).build();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                client.send(request, BodyHandlers.ofInputStream()).body(),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(JSON.readTree(line).path("object"));
            }
        }
    }

    /// Notes what happened while nobody watched; returns the version from which to go on.
    private String list() {
        JsonNode list = plane.admin().get(pods).ok();
        list.at("/items").forEach(this::note);
        return list.at("/metadata/resourceVersion").asText();
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

    /// Waits until so many pods are bound; false where the time is up before.
    ///
    /// @param progress is told now and then how many are
    synchronized boolean await(int count, long limitNanos, IntConsumer progress)
            throws InterruptedException {
        long deadline = System.nanoTime() + limitNanos;
        while (bound.size() < count) {
            progress.accept(bound.size());
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                return false;
            }
            wait(Math.min(leftMillis, TELLING.toMillis()));
        }
        return true;
    }

    synchronized int count() {
        return bound.size();
    }

    /// What to say where not all pods got their nodes in time.
    IllegalStateException missing(int wanted, Duration limit, Contestant.Run scheduler) {
        return new IllegalStateException(
                "only %d of %d pods were placed within %d s%n%s"
                        .formatted(count(), wanted, limit.toSeconds(), scheduler.lastWords()));
    }

    synchronized long firstNanos() {
        return firstNanos;
    }

    synchronized long lastNanos() {
        return lastNanos;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.shutdownNow();
    }
}
