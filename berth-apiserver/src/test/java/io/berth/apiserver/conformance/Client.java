package io.berth.apiserver.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/// A plain HTTP client of an API server.
public final class Client {
    public static final String MERGE = "application/merge-patch+json";
    public static final String STRATEGIC = "application/strategic-merge-patch+json";
    public static final String JSON_PATCH = "application/json-patch+json";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final ApiUnderTest api;
    private final HttpClient http;

    public Client(ApiUnderTest api, HttpClient.Version version) {
        this.api = api;
        this.http =
                HttpClient.newBuilder()
                        .version(version)
                        .sslContext(api.tls())
                        .connectTimeout(TIMEOUT)
                        .build();
    }

    public Answer get(String path) {
        return send("GET", path, "", Map.of());
    }

    public Answer get(String path, String accept) {
        return send("GET", path, "", Map.of("Accept", accept));
    }

    public Answer post(String path, String body) {
        return send("POST", path, body, Map.of("Content-Type", "application/json"));
    }

    public Answer put(String path, String body) {
        return send("PUT", path, body, Map.of("Content-Type", "application/json"));
    }

    public Answer patch(String path, String type, String body) {
        return send("PATCH", path, body, Map.of("Content-Type", type));
    }

    public Answer delete(String path) {
        return send("DELETE", path, "", Map.of());
    }

    public Answer delete(String path, String options) {
        return send("DELETE", path, options, Map.of("Content-Type", "application/json"));
    }

    public Answer send(String method, String path, String body, Map<String, String> headers) {
        HttpRequest.Builder request = request(path).timeout(TIMEOUT);
        headers.forEach(request::setHeader);
        request.method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    json(response.body()),
                    response.body(),
                    response.headers().allValues("Warning"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Opens a watch; the caller closes it.
    public WatchStream watch(String path) {
        return WatchStream.open(http, request(path).build());
    }

    public HttpClient http() {
        return http;
    }

    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(api.url() + path))
                        .setHeader("User-Agent", "conformance/1");
        if (!api.token().isEmpty()) {
            request.setHeader("Authorization", "Bearer " + api.token());
        }
        return request;
    }

    static JsonNode json(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            return tree == null ? MissingNode.getInstance() : tree;
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
