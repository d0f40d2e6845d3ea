package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.ControlPlane;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Binds each pod to the next node without looking, as it comes, with the requests that a scheduler
/// would send: which node to expect and two about the claim, for a pod that names a claim for
/// devices; a binding, then an event. So it shows how many pods an API server can take at all.
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
        var nodes = new ArrayList<String>();
        items(plane, "/api/v1/nodes").forEach(node -> nodes.add(name(node)));
        var life = new Life(plane, nodes);
        life.serve(namespace);
        return life;
    }

    private static JsonNode items(ControlPlane plane, String path) {
        return plane.admin().get(path).ok().path("items");
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    private static String namespace(JsonNode object) {
        return object.at("/metadata/namespace").asText();
    }

    private static String path(JsonNode pod) {
        return "/api/v1/namespaces/" + namespace(pod) + "/pods/" + name(pod);
    }

    private static final class Life implements Run {
        private final ControlPlane plane;
        private final List<String> nodes;
        private final HttpClient client;
        private final Thread thread;
        private final List<PodWatch> watches = new ArrayList<>();
        private final BlockingQueue<JsonNode> waiting = new LinkedBlockingQueue<>();
        private final Map<String, JsonNode> claims = new ConcurrentHashMap<>();
        private final Semaphore turns = new Semaphore(AT_ONCE);
        private final AtomicInteger refused = new AtomicInteger();

        Life(ControlPlane plane, List<String> nodes) {
            this.plane = plane;
            this.nodes = nodes;
            client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
            thread = Thread.ofVirtual().name("null scheduler").start(this::bindAll);
        }

        @Override
        public void serve(String namespace) {
            items(plane, LoadCluster.claims(namespace))
                    .forEach(claim -> claims.put(namespace + "/" + name(claim), claim));
            var seen = new HashSet<String>();
            watches.add(
                    new PodWatch(
                            plane,
                            namespace,
                            "0",
                            pod -> {
                                if (!pod.path("spec").has("nodeName") && seen.add(name(pod))) {
                                    waiting.add(pod);
                                }
                            }));
        }

        private void bindAll() {
            try {
                for (int i = 0; ; i++) {
                    var pod = waiting.take();
                    turns.acquire();
                    String node = nodes.get(i % nodes.size());
                    // Whether it came to anything is seen by whoever watches the pods.
                    var _ =
                            allocate(pod, node, i / nodes.size())
                                    .thenCompose(_ -> bind(pod, node))
                                    .thenCompose(_ -> tell(pod, node))
                                    .whenComplete((_, _) -> turns.release());
                }
            } catch (InterruptedException closed) {
                // By us, at the end.
            }
        }

        private CompletableFuture<Void> allocate(JsonNode pod, String node, int device) {
            var reference = pod.at("/spec/resourceClaims/0/resourceClaimName").asText();
            var claim = claims.get(namespace(pod) + "/" + reference);
            if (claim == null) {
                return CompletableFuture.allOf();
            }
            String path = LoadCluster.claims(namespace(pod)) + "/" + name(claim);
            String protect =
                    """
                    {"metadata":{"finalizers":["resource.kubernetes.io/delete-protection"]}}
                    """;
            String expect = "{\"status\":{\"nominatedNodeName\":\"" + node + "\"}}";
            return patch(path(pod) + "/status", expect)
                    .thenCompose(_ -> patch(path, protect))
                    .thenCompose(_ ->
                            patch(path + "/status", DeviceLoad.given(claim, pod, node, device)));
        }

        private CompletableFuture<Void> bind(JsonNode pod, String node) {
            return post(
                    path(pod) + "/binding",
                    """
                    {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
                     "target":{"kind":"Node","name":"%s"}}
                    """
                            .formatted(name(pod), node));
        }

        private CompletableFuture<Void> tell(JsonNode pod, String node) {
            return post(
                    "/apis/events.k8s.io/v1/namespaces/" + namespace(pod) + "/events",
                    """
                    {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"%1$s.null"},
                     "eventTime":"%2$s","reportingController":"null-scheduler",
                     "reportingInstance":"null-scheduler","action":"Binding","reason":"Scheduled",
                     "regarding":{"apiVersion":"v1","kind":"Pod","namespace":"%3$s","name":"%1$s"},
                     "note":"Successfully assigned %3$s/%1$s to %4$s","type":"Normal"}
                    """
                            .formatted(name(pod), Instant.now(), namespace(pod), node));
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
        public boolean isAlive() {
            return true;
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
        public Attempts attempts() {
            return Attempts.UNKNOWN;
        }

        @Override
        public String lastWords() {
            return refused.get() + " requests of the null scheduler were refused";
        }

        @Override
        public void close() {
            watches.forEach(PodWatch::close);
            thread.interrupt();
            client.shutdownNow();
        }
    }
}
