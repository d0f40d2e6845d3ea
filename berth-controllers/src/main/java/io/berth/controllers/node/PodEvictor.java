package io.berth.controllers.node;

import static io.berth.controllers.client.Resource.NODES;
import static io.berth.controllers.client.Resource.PODS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.client.DeleteHow;
import io.berth.controllers.informer.Informers;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Toleration;
import io.berth.controllers.object.Toleration.Taint;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Deletes pods that a taint drives from their node, at once or when their patience ends, and pods
/// whose node is gone.
public final class PodEvictor implements Controller {
    private static final int WORKERS = 4;

    /// A node that was replaced comes back within this.
    private static final Duration NODE_GONE = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final Loop loop;

    /// Nodes that pods name and nobody knows, and since when.
    private final Map<String, Instant> missing = new ConcurrentHashMap<>();

    public PodEvictor(Cluster cluster) {
        this.cluster = cluster;
        this.loop = new Loop("eviction", WORKERS, cluster.timer(), this::reconcile);
        cluster.pods()
                .listen((before, after) -> {
                    boolean news = before == null || before.node().isEmpty();
                    if (after != null && news && !after.node().isEmpty()) {
                        loop.enqueue(after.meta().key());
                    }
                });
        cluster.of(NODES)
                .listen((before, after) -> {
                    if (before == null || after == null || differs(before, after)) {
                        String name = Notices.either(before, after).meta().name();
                        cluster.pods()
                                .indexed(Informers.onNode(name))
                                .forEach(pod -> loop.enqueue(pod.meta().key()));
                    }
                });
    }

    private static boolean differs(KubeObject before, KubeObject after) {
        return !Taint.list(before.tree()).equals(Taint.list(after.tree()));
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        PodFacts pod = cluster.pods().find(key).orElse(null);
        if (pod == null || pod.node().isEmpty()) {
            return;
        }
        Optional<KubeObject> node = cluster.of(NODES).find(pod.node());
        if (node.isEmpty()) {
            nodeGone(pod);
        } else if (!pod.meta().isDeleting()) {
            judge(pod, node.get());
        }
    }

    /// Nobody is left who could end the pod in order.
    private void nodeGone(PodFacts pod) {
        Instant since = goneSince(pod);
        Duration left = Duration.between(cluster.now(), since.plus(NODE_GONE));
        if (left.isPositive()) {
            loop.enqueueAfter(pod.meta().key(), left);
            return;
        }
        if (cluster.client().find(NODES, "", pod.node()).isPresent()) {
            return;
        }
        mark(pod, "DeletionByPodGC", "PodGC: node no longer exists");
        cluster.delete(PODS, pod.meta(), DeleteHow.exactly(pod.meta().uid()).withGrace(0));
    }

    private Instant goneSince(PodFacts pod) {
        // Nodes that are back are not worth remembering.
        missing.keySet().removeIf(name -> cluster.of(NODES).find(name).isPresent());
        return missing.computeIfAbsent(pod.node(), _ -> cluster.now());
    }

    private void judge(PodFacts pod, KubeObject node) {
        Duration shortest = null;
        for (JsonNode each : node.spec().path("taints")) {
            if (!each.path("effect").asText().equals("NoExecute")) {
                continue;
            }
            Optional<Duration> left = patience(pod, each);
            if (left.isPresent() && (shortest == null || left.get().compareTo(shortest) < 0)) {
                shortest = left.get();
            }
        }
        if (shortest == null) {
            return;
        }
        if (shortest.isPositive()) {
            loop.enqueueAfter(pod.meta().key(), shortest);
            return;
        }
        mark(pod, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        cluster.delete(PODS, pod.meta(), DeleteHow.exactly(pod.meta().uid()));
    }

    /// How long a pod still bears a taint; nothing where it does so for ever.
    private Optional<Duration> patience(PodFacts pod, JsonNode taint) {
        var facts =
                new Taint(
                        taint.path("key").asText(""),
                        taint.path("value").asText(""),
                        taint.path("effect").asText(""));
        List<Toleration> fitting =
                pod.tolerations().stream().filter(each -> each.tolerates(facts)).toList();
        if (fitting.isEmpty()) {
            return Optional.of(Duration.ZERO);
        }
        var seconds = fitting.stream().flatMapToLong(each -> each.seconds().stream()).min();
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        Instant since = Trees.instant(taint.path("timeAdded")).orElse(cluster.now());
        Instant end = since.plusSeconds(Math.max(0, seconds.getAsLong()));
        return Optional.of(Duration.between(cluster.now(), end));
    }

    /// Says why, before the pod goes; nothing depends on it.
    private void mark(PodFacts pod, String reason, String message) {
        String time = Trees.time(cluster.now());
        ObjectNode current =
                cluster.client().find(PODS, pod.meta().namespace(), pod.meta().name()).orElse(null);
        if (current == null
                || !pod.meta().uid().equals(current.path("metadata").path("uid").asText())) {
            return;
        }
        ObjectNode patch = Trees.object();
        ObjectNode status = patch.putObject("status");
        if (current.path("status").path("conditions").isArray()) {
            status.set("conditions", current.path("status").path("conditions").deepCopy());
        }
        Conditions.set(status, "DisruptionTarget", "True", reason, message, cluster.now());
        status.path("conditions")
                .forEach(each -> {
                    if (!each.has("lastTransitionTime")) {
                        ((ObjectNode) each).put("lastTransitionTime", time);
                    }
                });
        try {
            cluster.patch(PODS, pod.meta(), "/status", patch);
        } catch (ApiFailure unmarked) {
            // The deletion counts, not the word about it.
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
