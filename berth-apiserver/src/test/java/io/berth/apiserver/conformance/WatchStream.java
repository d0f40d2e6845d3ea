package io.berth.apiserver.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The lines of a watch as they arrive.
public final class WatchStream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpResponse<InputStream> response;
    private final BlockingQueue<Optional<JsonNode>> events = new LinkedBlockingQueue<>();

    private WatchStream(HttpResponse<InputStream> response) {
        this.response = response;
        Thread.ofVirtual().name("watch-reader").start(this::read);
    }

    static WatchStream open(HttpClient http, HttpRequest request) {
        try {
            return new WatchStream(http.send(request, BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public int code() {
        return response.statusCode();
    }

    /// The next event; fails if none comes or the stream is over.
    public JsonNode next() {
        return poll().orElseThrow(() -> new AssertionError("the watch is over"));
    }

    /// The next event as one word and a name, such as `ADDED a`.
    public String nextBrief() {
        JsonNode event = next();
        return event.path("type").asText() + " " + event.at("/object/metadata/name").asText();
    }

    /// All events until the server ends the stream.
    public List<JsonNode> rest() {
        var rest = new ArrayList<JsonNode>();
        for (Optional<JsonNode> event = poll(); event.isPresent(); event = poll()) {
            rest.add(event.get());
        }
        return rest;
    }

    private Optional<JsonNode> poll() {
        try {
            Optional<JsonNode> event = events.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (event == null) {
                throw new AssertionError("no event within " + PATIENCE);
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try (var lines =
                new java.io.BufferedReader(
                        new java.io.InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                events.add(Optional.of(Client.json(line)));
            }
        } catch (IOException e) {
            // Closed by this side, or cut off by the other: over either way.
        } finally {
            events.add(Optional.empty());
        }
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
