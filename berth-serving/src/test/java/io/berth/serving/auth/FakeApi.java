package io.berth.serving.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/// The few things that authentication and authorization ask of an API server, answered as a test
/// says.
final class FakeApi implements AutoCloseable {
    /// An answer: a status and a body.
    record Answer(int status, String body) {}

    final List<JsonNode> tokenReviews = new CopyOnWriteArrayList<>();
    final List<JsonNode> accessReviews = new CopyOnWriteArrayList<>();
    final LinkedBlockingQueue<String> watchLines = new LinkedBlockingQueue<>();

    /// Used up before the usual answers.
    final ConcurrentLinkedQueue<Answer> failures = new ConcurrentLinkedQueue<>();

    volatile Function<String, String> tokenStatus = _ -> "{\"user\":{}}";
    volatile Function<JsonNode, String> accessStatus = _ -> "{\"allowed\":false}";
    volatile Answer configMap = new Answer(404, status(404, "NotFound"));

    private final HttpServer server;
    private final ApiClient client;

    FakeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        client =
                new ApiClient(
                        Connection.plain(
                                URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
                        ClientOptions.DEFAULT);
    }

    ApiClient client() {
        return client;
    }

    static String status(int code, String reason) {
        return "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"%s happened\",\"reason\":\"%s\",\"code\":%d}"
                .formatted(reason, reason, code);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (query.contains("watch=true")) {
            watch(exchange);
        } else if (path.endsWith("/tokenreviews")) {
            JsonNode review = Reviews.JSON.readTree(body);
            tokenReviews.add(review);
            answer(exchange, tokenStatus.apply(review.at("/spec/token").asText()));
        } else if (path.endsWith("/subjectaccessreviews")) {
            JsonNode review = Reviews.JSON.readTree(body);
            accessReviews.add(review);
            answer(exchange, accessStatus.apply(review.path("spec")));
        } else if (path.endsWith("/configmaps")) {
            String items = configMap.status == 200 ? configMap.body : "";
            send(
                    exchange,
                    new Answer(
                            200,
                            "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":["
                                    + items
                                    + "]}"));
        } else {
            send(exchange, configMap);
        }
    }

    private void answer(HttpExchange exchange, String status) throws IOException {
        Answer failure = failures.poll();
        send(exchange, failure == null ? new Answer(201, "{\"status\":" + status + "}") : failure);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private void watch(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            while (true) {
                out.write((watchLines.take() + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
