package io.berth.bench.stress;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// All kubelets: pods with a node come to run, and go when they are deleted, after a while.
final class Kubelets implements AutoCloseable {
    private final Cluster cluster;
    private final Thread thread;
    private final ScheduledExecutorService work = Executors.newScheduledThreadPool(2);
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Kubelets(Cluster cluster) {
        this.cluster = cluster;
        this.thread = Thread.ofVirtual().name("kubelets").start(this::follow);
    }

    private void follow() {
        while (!closed) {
            try {
                cluster.pods().forEach(this::seen);
                watch();
            } catch (IOException | ApiException broken) {
                // Begins anew, unless it is over.
            }
        }
    }

    private void watch() throws IOException {
        var request = ApiRequest.get("/api/v1/pods").with("watch", "true");
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                cluster.client().open(request), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                seen(Cluster.read(line).path("object"));
            }
        }
    }

    private void seen(JsonNode pod) {
        var name = pod.at("/metadata/name").asText();
        var uid = pod.at("/metadata/uid").asText();
        if (pod.at("/spec/nodeName").asText().isEmpty()) {
            return;
        }
        if (!pod.at("/metadata/deletionTimestamp").asText().isEmpty()) {
            later("end " + uid, 800, () -> cluster.removePod(name, uid));
        } else if (pod.at("/status/phase").asText().equals("Pending")) {
            later("run " + uid, 200, () -> cluster.run(name, uid));
        }
    }

    private void later(String what, int mostMillis, Runnable body) {
        if (begun.add(what) && !closed) {
            var _ =
                    work.schedule(
                            body,
                            ThreadLocalRandom.current().nextInt(mostMillis),
                            TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        work.shutdownNow();
    }
}
