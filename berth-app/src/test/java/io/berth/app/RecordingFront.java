package io.berth.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/// Stands before an API server, without TLS, and notes what it is asked and what it passes on. Some
/// of it can be held up.
final class RecordingFront implements AutoCloseable {
    /// @param query empty where there is none
    record Request(String method, String path, String query) {
        private static final String WATCH = "watch=true";

        /// The verb that rights are granted for.
        String verb() {
            boolean one = !resource().equals(last());
            return switch (method) {
                case "GET" -> query.contains(WATCH) ? "watch" : one ? "get" : "list";
                case "POST" -> "create";
                case "PUT" -> "update";
                default -> method.toLowerCase(Locale.ROOT);
            };
        }

        /// The API group; empty for the core.
        String group() {
            return path.startsWith("/apis/") ? path.split("/", -1)[2] : "";
        }

        boolean isAboutObjects() {
            int parts = path.split("/", -1).length;
            return path.startsWith("/api/") && parts > 3 || path.startsWith("/apis/") && parts > 4;
        }

        /// Such as `pods` or `pods/binding`.
        String resource() {
            List<String> parts = objectParts();
            return parts.size() > 2 ? parts.get(0) + "/" + parts.get(2) : parts.getFirst();
        }

        /// The object's name; empty for all of them.
        String name() {
            List<String> parts = objectParts();
            return parts.size() > 1 ? parts.get(1) : "";
        }

        private String last() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        private List<String> objectParts() {
            List<String> parts = List.of(path.substring(1).split("/", -1));
            parts = parts.subList(parts.getFirst().equals("api") ? 2 : 3, parts.size());
            boolean namespaced = parts.size() > 2 && parts.getFirst().equals("namespaces");
            return namespaced ? parts.subList(2, parts.size()) : parts;
        }
    }

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<String, String> passed = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final URI target;
    private final HttpClient client;
    private final HttpServer server;

    RecordingFront(URI target, SSLContext tls) throws IOException {
        this.target = target;
        client = HttpClient.newBuilder().sslContext(tls).build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::pass);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<Request> requests() {
        return requests;
    }

    /// Answers nothing about a resource, such as `pods`, until [#letPass].
    void holdUp(String resource) {
        held.put(resource, new CountDownLatch(1));
    }

    void letPass(String resource) {
        Objects.requireNonNull(held.get(resource)).countDown();
    }

    /// Whether its answers about a resource have had that text.
    boolean hasPassed(String resource, String text) {
        return passed.getOrDefault(resource, "").contains(text);
    }

    private void pass(HttpExchange exchange) throws IOException {
        URI asked = exchange.getRequestURI();
        String query = asked.getRawQuery() == null ? "" : asked.getRawQuery();
        var noted = new Request(exchange.getRequestMethod(), asked.getPath(), query);
        requests.add(noted);
        String resource = noted.isAboutObjects() ? noted.resource() : "";
        var request =
                HttpRequest.newBuilder(target.resolve(asked))
                        .method(
                                exchange.getRequestMethod(),
                                BodyPublishers.ofByteArray(
                                        exchange.getRequestBody().readAllBytes()));
        for (String header : List.of("Content-Type", "Accept")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        try (exchange) {
            var turn = held.get(resource);
            if (turn != null) {
                turn.await();
            }
            var answer = client.send(request.build(), BodyHandlers.ofInputStream());
            answer.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(answer.statusCode(), 0);
            copy(answer.body(), exchange, resource);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /// Piece by piece, since a watch has no end.
    private void copy(InputStream from, HttpExchange exchange, String resource) throws IOException {
        try (from;
                var to = exchange.getResponseBody()) {
            var buffer = new byte[8192];
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                to.write(buffer, 0, n);
                to.flush();
                String piece = new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
                passed.merge(resource, piece, String::concat);
            }
        }
    }

    @Override
    public void close() {
        held.values().forEach(CountDownLatch::countDown);
        server.stop(0);
        client.shutdownNow();
    }
}
