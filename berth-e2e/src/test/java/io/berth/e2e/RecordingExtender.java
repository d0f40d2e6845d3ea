package io.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;

/// Two extenders behind one port that note what they are asked: `/a` is sent names, `/b` whole
/// objects. They agree with everything and like the node best whose name comes first, so that no
/// scheduler has to choose among equals.
final class RecordingExtender implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// The most that an extender may give.
    private static final int HIGHEST_SCORE = 10;

    /// One request.
    ///
    /// @param path for example `/a/filter`
    record Call(String path, JsonNode body) {
        /// The pod it is about.
        String pod() {
            return path.endsWith("/bind")
                    ? body.at("/PodName").asText()
                    : body.at("/Pod/metadata/name").asText();
        }
    }

    private final HttpServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final BiConsumer<String, String> bind;

    /// @param bind binds a pod to a node
    RecordingExtender(BiConsumer<String, String> bind) throws IOException {
        this.bind = bind;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Call> calls() {
        return List.copyOf(calls);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var body = JSON.readTree(exchange.getRequestBody());
            calls.add(new Call(path, body));
            byte[] answer = JSON.writeValueAsBytes(answer(path, body));
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private JsonNode answer(String path, JsonNode body) {
        return switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "filter" -> {
                ObjectNode all = JSON.createObjectNode();
                all.set("NodeNames", body.get("NodeNames"));
                all.set("Nodes", body.get("Nodes"));
                yield all;
            }
            case "bind" -> {
                bind.accept(body.at("/PodName").asText(), body.at("/Node").asText());
                yield JSON.createObjectNode();
            }
            case "preempt" -> {
                ObjectNode left = JSON.createObjectNode();
                left.set("NodeNameToMetaVictims", metaVictims(body));
                yield left;
            }
            case "prioritize" -> scores(body);
            default -> throw new IllegalArgumentException("no such verb: " + path);
        };
    }

    private static JsonNode scores(JsonNode body) {
        var names = new TreeSet<String>();
        body.path("NodeNames").forEach(name -> names.add(name.asText()));
        body.at("/Nodes/items").forEach(node -> names.add(node.at("/metadata/name").asText()));
        var result = JSON.createArrayNode();
        for (var name : names) {
            int score = name.equals(names.first()) ? HIGHEST_SCORE : 0;
            result.addObject().put("Host", name).put("Score", score);
        }
        return result;
    }

    private static JsonNode metaVictims(JsonNode body) {
        if (body.get("NodeNameToMetaVictims").isObject()) {
            return body.get("NodeNameToMetaVictims");
        }
        ObjectNode result = JSON.createObjectNode();
        body.get("NodeNameToVictims")
                .properties()
                .forEach(entry -> {
                    ObjectNode victims = result.putObject(entry.getKey());
                    var pods = victims.putArray("Pods");
                    entry.getValue()
                            .get("Pods")
                            .forEach(pod ->
                                    pods.addObject().put("UID", pod.at("/metadata/uid").asText()));
                });
        return result;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
