package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.ControlPlane;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Binds each pod to the next node without looking, with the requests that a scheduler would send:
/// which node to expect and two about the claim, for a pod that names a claim for devices; a
/// binding, then an event. So it shows how many pods an API server can take at all.
///
/// It lives in this process, and its client speaks HTTP/2 on one connection, so that it costs the
/// machine as little as it can.
record NullScheduler() implements Contestant {
    static final String NAME = "null";

    /// So many pods are on their way at once, as many as keep the server busy.
    private static final int AT_ONCE = 64;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Run start(ControlPlane plane, String namespace) {
        var pods = new ArrayList<JsonNode>();
        String path = "/api/v1/namespaces/" + namespace + "/pods?labelSelector=app!%3Dnever";
        for (var pod : items(plane, path)) {
            if (!pod.path("spec").has("nodeName")) {
                pods.add(pod);
            }
        }
        var nodes = new ArrayList<String>();
        items(plane, "/api/v1/nodes").forEach(node -> nodes.add(name(node)));
        var claims = new HashMap<String, JsonNode>();
        items(plane, LoadCluster.claims(namespace))
                .forEach(claim -> claims.put(name(claim), claim));
        var life = new Life(plane, namespace, claims);
        Thread.ofVirtual().name("null scheduler").start(() -> life.bindAll(pods, nodes));
        return life;
    }

    private static JsonNode items(ControlPlane plane, String path) {
        return plane.admin().get(path).ok().path("items");
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    private static final class Life implements Run {
        private final ControlPlane plane;
        private final String namespace;
        private final HttpClient client;
        private final Map<String, JsonNode> claims;
        private final Semaphore turns = new Semaphore(AT_ONCE);
        private final AtomicInteger refused = new AtomicInteger();

        Life(ControlPlane plane, String namespace, Map<String, JsonNode> claims) {
            this.plane = plane;
            this.namespace = namespace;
            this.claims = claims;
            client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
        }

        void bindAll(List<JsonNode> pods, List<String> nodes) {
            for (int i = 0; i < pods.size(); i++) {
                turns.acquireUninterruptibly();
                var pod = pods.get(i);
                String node = nodes.get(i % nodes.size());
                // Whether it came to anything is seen by whoever watches the pods.
                var _ =
                        allocate(pod, node, i / nodes.size())
                                .thenCompose(_ -> bind(name(pod), node))
                                .thenCompose(_ -> tell(name(pod), node))
                                .whenComplete((_, _) -> turns.release());
            }
        }

        private CompletableFuture<Void> allocate(JsonNode pod, String node, int device) {
            var claim = claims.get(pod.at("/spec/resourceClaims/0/resourceClaimName").asText());
            if (claim == null) {
                return CompletableFuture.allOf();
            }
            String path = LoadCluster.claims(namespace) + "/" + name(claim);
            String protect =
                    """
                    {"metadata":{"finalizers":["resource.kubernetes.io/delete-protection"]}}
                    """;
            String expect = "{\"status\":{\"nominatedNodeName\":\"" + node + "\"}}";
            return patch(
                            "/api/v1/namespaces/" + namespace + "/pods/" + name(pod) + "/status",
                            expect)
                    .thenCompose(_ -> patch(path, protect))
                    .thenCompose(_ ->
                            patch(path + "/status", DeviceLoad.given(claim, pod, node, device)));
        }

        private CompletableFuture<Void> bind(String pod, String node) {
            return post(
                    "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/binding",
                    """
                    {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
                     "target":{"kind":"Node","name":"%s"}}
                    """
                            .formatted(pod, node));
        }

        private CompletableFuture<Void> tell(String pod, String node) {
            return post(
                    "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events",
                    """
                    {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"%1$s.null"},
                     "eventTime":"%2$s","reportingController":"null-scheduler",
                     "reportingInstance":"null-scheduler","action":"Binding","reason":"Scheduled",
                     "regarding":{"apiVersion":"v1","kind":"Pod","namespace":"%3$s","name":"%1$s"},
                     "note":"Successfully assigned %3$s/%1$s to %4$s","type":"Normal"}
                    """
                            .formatted(pod, Instant.now(), namespace, node));
        }

        private CompletableFuture<Void> post(String path, String body) {
            return send("POST", path, "application/json", body);
        }

        private CompletableFuture<Void> patch(String path, String body) {
            return send("PATCH", path, "application/merge-patch+json", body);
        }

        private CompletableFuture<Void> send(
                String method, String path, String contentType, String body) {
            var request =
                    HttpRequest.newBuilder(plane.url().resolve(path))
                            .header("Content-Type", contentType)
                            .method(method, BodyPublishers.ofString(body))
                            .build();
            return client.sendAsync(request, BodyHandlers.discarding())
                    .thenAccept(answer -> {
                        if (answer.statusCode() >= 300) {
                            refused.incrementAndGet();
                        }
                    });
        }

        @Override
        public double cpuSeconds() {
            return Double.NaN;
        }

        @Override
        public double peakRssMib() {
            return Double.NaN;
        }

        @Override
        public double algorithmMicros() {
            return Double.NaN;
        }

        @Override
        public String lastWords() {
            return refused.get() + " requests of the null scheduler were refused";
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }
}
