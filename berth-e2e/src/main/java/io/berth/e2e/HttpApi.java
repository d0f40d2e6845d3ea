package io.berth.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/// A plain JSON client of a Kubernetes API, or of any HTTP server: one method for each verb, no
/// retries, every answer with its status.
public final class HttpApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final URI server;
    private final HttpClient client;
    private final Duration limit;

    /// A client of `server` that shows and trusts what `tls` holds.
    public HttpApi(URI server, SSLContext tls) {
        this(server, HttpClient.newBuilder().connectTimeout(LIMIT).sslContext(tls).build(), LIMIT);
    }

    /// A client of a server that speaks plain HTTP.
    public static HttpApi plain(URI server) {
        return new HttpApi(server, HttpClient.newBuilder().connectTimeout(LIMIT).build(), LIMIT);
    }

    private HttpApi(URI server, HttpClient client, Duration limit) {
        this.server = server;
        this.client = client;
        this.limit = limit;
    }

    /// The same client with another limit for each request; a minute unless told.
    public HttpApi withLimit(Duration newLimit) {
        return new HttpApi(server, client, newLimit);
    }

    /// An answer; a body that is not JSON is one text node.
    public record Response(int status, JsonNode body) {
        /// The body of a successful answer.
        public JsonNode ok() {
            if (status / 100 != 2) {
                throw new IllegalStateException("HTTP " + status + ": " + body);
            }
            return body;
        }

        /// The text at a JSON pointer, for example `/spec/nodeName`; empty if there is none.
        public String text(String pointer) {
            return body.at(pointer).asText("");
        }
    }

    public URI server() {
        return server;
    }

    public Response get(String path) {
        return send("GET", path, "application/json", BodyPublishers.noBody());
    }

    public Response post(String path, String json) {
        return send("POST", path, "application/json", BodyPublishers.ofString(json));
    }

    public Response put(String path, String json) {
        return send("PUT", path, "application/json", BodyPublishers.ofString(json));
    }

    /// A merge patch.
    public Response patch(String path, String json) {
        return send("PATCH", path, "application/merge-patch+json", BodyPublishers.ofString(json));
    }

    public Response delete(String path) {
        return send("DELETE", path, "application/json", BodyPublishers.noBody());
    }

    /// Creates an empty namespace and returns its name.
    public String createNamespace(String name) {
        String namespace =
                """
                {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}
                """
                        .formatted(name);
        return post("/api/v1/namespaces", namespace).ok().at("/metadata/name").asText();
    }

    /// Whether a GET is answered with 200; false also while nobody listens.
    public boolean answers(String path) {
        try {
            return get(path).status() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private Response send(String method, String path, String contentType, BodyPublisher body) {
        var request =
                HttpRequest.newBuilder(server.resolve(path))
                        .timeout(limit)
                        .header("Content-Type", contentType)
                        .header("Accept", "application/json")
                        .method(method, body)
                        .build();
        try {
            var response = client.send(request, BodyHandlers.ofString());
            return new Response(response.statusCode(), parse(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + method + " " + request.uri(), e);
        }
    }

    private static JsonNode parse(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(body);
        }
    }
}
