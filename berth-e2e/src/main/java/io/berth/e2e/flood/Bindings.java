package io.berth.e2e.flood;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.e2e.ControlPlane;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// When the pods of a namespace got their nodes, as a watch tells it.
final class Bindings implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ControlPlane plane;
    private final String pods;
    private final HttpClient client;
    private final Thread thread;
    private final Map<String, Long> boundNanos = new HashMap<>();

    Bindings(ControlPlane plane, String namespace) {
        this.plane = plane;
        pods = "/api/v1/namespaces/" + namespace + "/pods?timeoutSeconds=3000";
        client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
        thread = Thread.ofPlatform().daemon().name("bindings").start(this::follow);
    }

    private void follow() {
        var request = HttpRequest.newBuilder(plane.url().resolve(pods + "&watch=true")).build();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                client.send(request, BodyHandlers.ofInputStream()).body(),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(JSON.readTree(line).path("object"));
            }
        } catch (IOException | InterruptedException over) {
            // By us: the trial has seen what it wanted, or says what is missing.
        }
    }

    private synchronized void note(JsonNode pod) {
        if (pod.at("/spec").has("nodeName")) {
            boundNanos.putIfAbsent(pod.at("/metadata/name").asText(), System.nanoTime());
            notifyAll();
        }
    }

    /// @throws IllegalStateException where some are not bound in time
    synchronized void await(Collection<String> names, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!boundNanos.keySet().containsAll(names)) {
            long leftMillis = (end - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                throw new IllegalStateException(
                        "%d of %d pods are bound".formatted(boundNanos.size(), names.size()));
            }
            wait(leftMillis);
        }
    }

    /// From creation to binding, in seconds, shortest first.
    synchronized double[] delays(Map<String, Long> created) {
        return created.entrySet().stream()
                .mapToDouble(one ->
                        (boundNanos.getOrDefault(one.getKey(), Long.MAX_VALUE) - one.getValue())
                                / 1e9)
                .sorted()
                .toArray();
    }

    @Override
    public void close() {
        thread.interrupt();
        client.shutdownNow();
    }
}
