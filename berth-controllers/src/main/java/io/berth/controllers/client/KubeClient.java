package io.berth.controllers.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// A client of an API server: trees in, trees out. Used by all controllers at once; at most
/// [#AT_ONCE] calls are under way, so that a crowd of controllers is no flood.
public final class KubeClient implements AutoCloseable {
    private static final int AT_ONCE = 48;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";

    private final ApiEndpoint endpoint;
    private final HttpClient calls;
    private final HttpClient watches;
    private final Semaphore slots = new Semaphore(AT_ONCE);

    public KubeClient(ApiEndpoint endpoint) {
        this.endpoint = endpoint;
        this.calls = http(endpoint);
        // On connections of their own: an unread watch holds up no call.
        this.watches = http(endpoint);
    }

    private static HttpClient http(ApiEndpoint endpoint) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(endpoint.tls())
                .connectTimeout(PATIENCE)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    public Optional<ObjectNode> find(Resource kind, String namespace, String name) {
        try {
            return Optional.of(call("GET", kind.path(namespace, name), "", null));
        } catch (ApiFailure failure) {
            if (failure.isNotFound()) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /// One page of objects.
    ///
    /// @param more where the last page ended; empty for the first one
    public ObjectNode list(Resource kind, int limit, String more) {
        String path = kind.path() + "?limit=" + limit;
        return call("GET", more.isEmpty() ? path : path + "&continue=" + more, "", null);
    }

    public ObjectNode create(Resource kind, String namespace, ObjectNode object) {
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        return call("POST", kind.path(namespace), JSON, object);
    }

    /// Replaces an object; refused if it has changed since it was read.
    public ObjectNode update(Resource kind, ObjectNode object) {
        return call("PUT", path(kind, object), JSON, object);
    }

    public ObjectNode updateStatus(Resource kind, ObjectNode object) {
        return call("PUT", path(kind, object) + "/status", JSON, object);
    }

    /// Merges a patch into an object; into its status, say, with the subresource `/status`.
    public ObjectNode patch(
            Resource kind, String namespace, String name, String subresource, ObjectNode patch) {
        return call("PATCH", kind.path(namespace, name) + subresource, MERGE, patch);
    }

    /// Posts to a subresource, such as `/eviction`.
    public ObjectNode post(
            Resource kind, String namespace, String name, String subresource, ObjectNode body) {
        return call("POST", kind.path(namespace, name) + subresource, JSON, body);
    }

    /// Deletes an object; one that is gone already is no failure.
    ///
    /// @return what is left of it, or the server's word that nothing is
    public Optional<ObjectNode> delete(
            Resource kind, String namespace, String name, DeleteHow how) {
        try {
            return Optional.of(call("DELETE", kind.path(namespace, name), JSON, how.options()));
        } catch (ApiFailure failure) {
            if (failure.isNotFound()) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /// Opens a watch. The server ends it after a while; the caller closes it.
    public InputStream watch(Resource kind, long from, Duration limit) {
        String path =
                kind.path()
                        + "?watch=true&allowWatchBookmarks=true&resourceVersion="
                        + from
                        + "&timeoutSeconds="
                        + limit.toSeconds();
        HttpRequest request = request(path).timeout(PATIENCE).GET().build();
        try {
            HttpResponse<InputStream> response =
                    watches.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                try (InputStream body = response.body()) {
                    throw failure(response.statusCode(), body.readAllBytes());
                }
            }
            return response.body();
        } catch (IOException problem) {
            throw unreachable(problem);
        } catch (InterruptedException stop) {
            throw stopped();
        }
    }

    private static String path(Resource kind, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return kind.path(metadata.path("namespace").asText(""), metadata.path("name").asText());
    }

    private ObjectNode call(
            String method,
            String path,
            String type,
            @org.jspecify.annotations.Nullable ObjectNode body) {
        HttpRequest.Builder request = request(path).timeout(PATIENCE);
        if (!type.isEmpty()) {
            request.setHeader("Content-Type", type);
        }
        request.method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes(body)));
        HttpResponse<byte[]> response = send(request.build());
        if (response.statusCode() >= 300) {
            throw failure(response.statusCode(), response.body());
        }
        return parse(response.body()) instanceof ObjectNode object
                ? object
                : MAPPER.createObjectNode();
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        try {
            slots.acquire();
            try {
                return calls.send(request, BodyHandlers.ofByteArray());
            } finally {
                slots.release();
            }
        } catch (IOException problem) {
            throw unreachable(problem);
        } catch (InterruptedException stop) {
            throw stopped();
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(endpoint.url() + path))
                        .setHeader("Accept", JSON)
                        .setHeader("User-Agent", "berth-controllers");
        return endpoint.token().isEmpty()
                ? request
                : request.setHeader("Authorization", "Bearer " + endpoint.token());
    }

    private static ApiFailure failure(int code, byte[] body) {
        JsonNode status = parse(body);
        return new ApiFailure(
                code,
                status.path("reason").asText(""),
                status.path("message").asText("the API server answered " + code));
    }

    private static ApiFailure unreachable(IOException problem) {
        return new ApiFailure(
                0, "", "the API server could not be reached: " + problem.getMessage());
    }

    private static ApiFailure stopped() {
        Thread.currentThread().interrupt();
        return new ApiFailure(0, "", "stopped while waiting for the API server");
    }

    /// A line of a watch as a tree; nothing where it is none.
    public static JsonNode parse(byte[] text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            return tree == null ? MissingNode.getInstance() : tree;
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    /// A line of a watch as a tree; nothing where it is none.
    public static JsonNode parse(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            return tree == null ? MissingNode.getInstance() : tree;
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    private static byte[] bytes(ObjectNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException mistake) {
            throw new IllegalStateException("A tree cannot be written", mistake);
        }
    }

    @Override
    public void close() {
        watches.shutdownNow();
        calls.shutdownNow();
    }
}
