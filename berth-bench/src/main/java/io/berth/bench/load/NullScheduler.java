package io.berth.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.ControlPlane;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Binds each pod to the next node without looking, with the requests that a scheduler would send:
/// a binding, then an event. So it shows how many pods an API server can take at all.
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
        var pods =
                names(
                        plane,
                        "/api/v1/namespaces/" + namespace + "/pods?labelSelector=app!%3Dnever");
        var nodes = names(plane, "/api/v1/nodes");
        var life = new Life(plane, namespace);
        Thread.ofVirtual().name("null scheduler").start(() -> life.bindAll(pods, nodes));
        return life;
    }

    private static List<String> names(ControlPlane plane, String path) {
        var names = new ArrayList<String>();
        for (JsonNode item : plane.admin().get(path).ok().path("items")) {
            if (!item.path("spec").has("nodeName")) {
                names.add(item.at("/metadata/name").asText());
            }
        }
        return names;
    }

    private static final class Life implements Run {
        private final ControlPlane plane;
        private final String namespace;
        private final HttpClient client;
        private final Semaphore turns = new Semaphore(AT_ONCE);
        private final AtomicInteger refused = new AtomicInteger();

        Life(ControlPlane plane, String namespace) {
            this.plane = plane;
            this.namespace = namespace;
            client = HttpClient.newBuilder().sslContext(plane.adminTls()).build();
        }

        void bindAll(List<String> pods, List<String> nodes) {
            for (int i = 0; i < pods.size(); i++) {
                turns.acquireUninterruptibly();
                bind(pods.get(i), nodes.get(i % nodes.size()));
            }
        }

        private void bind(String pod, String node) {
            // Whether it came to anything is seen by whoever watches the pods.
            var _ =
                    post(
                                    "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/binding",
                                    """
                                    {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
                                     "target":{"kind":"Node","name":"%s"}}
                                    """
                                            .formatted(pod, node))
                            .thenCompose(_ -> tell(pod, node))
                            .whenComplete((_, _) -> turns.release());
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
            var request =
                    HttpRequest.newBuilder(plane.url().resolve(path))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(body))
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
