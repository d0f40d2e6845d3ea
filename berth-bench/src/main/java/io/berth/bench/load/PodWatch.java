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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Tells of the pods of a namespace whenever they change, those left aside that fit nowhere.
final class PodWatch implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final ControlPlane plane;
    private final String pods;
    private final HttpClient client;
    private final Consumer<JsonNode> listener;
    private final Thread thread;
    private volatile boolean closed;

    /// @param version from which version on; with 0 it begins with all pods that there are
    /// @param listener called on a thread of this watch; may be told the same twice
    PodWatch(ControlPlane plane, String namespace, String version, Consumer<JsonNode> listener) {
        this.plane = plane;
        this.listener = listener;
        pods = "/api/v1/namespaces/" + namespace + "/pods?labelSelector=app!%3Dnever";
        client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
        thread = Thread.ofVirtual().name("pods of " + namespace).start(() -> read(version));
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
                listener.accept(JSON.readTree(line).path("object"));
            }
        }
    }

    /// Tells what happened while nobody watched; returns the version from which to go on.
    private String list() {
        JsonNode list = plane.admin().get(pods).ok();
        list.at("/items").forEach(listener);
        return list.at("/metadata/resourceVersion").asText();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.shutdownNow();
    }
}
