package io.berth.bench.stress;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Looks at the cluster when all is calm again.
final class Audit {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final String LAST = "last";

    private final Cluster cluster;
    private final BusyServer server;

    Audit(Cluster cluster, BusyServer server) {
        this.cluster = cluster;
        this.server = server;
    }

    /// Pods whose status does not say what is true, in words. What is merely late is waited for.
    List<String> wrongConditions() throws InterruptedException {
        return untilEmpty(() -> {
            var wrong = new ArrayList<String>();
            for (var pod : cluster.pods()) {
                var problem = problemOf(pod);
                if (!problem.isEmpty()) {
                    wrong.add(nameOf(pod) + " " + problem);
                }
            }
            return wrong;
        });
    }

    private String problemOf(JsonNode pod) {
        var node = pod.at("/spec/nodeName").asText();
        var scheduled = condition(pod);
        if (node.isEmpty()) {
            return scheduled.path("status").asText().equals("False")
                    ? ""
                    : "waits, but says nothing";
        }
        boolean isTrue =
                scheduled.path("status").asText().equals("True")
                        && scheduled.path("message").asText().isEmpty();
        if (!isTrue && !server.lostBindingOf(nameOf(pod))) {
            return "is on " + node + ", but says " + scheduled;
        }
        var nominated = pod.at("/status/nominatedNodeName").asText();
        return nominated.isEmpty() ? "" : "is on " + node + ", but expects " + nominated;
    }

    private static JsonNode condition(JsonNode pod) {
        for (var condition : pod.at("/status/conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")) {
                return condition;
            }
        }
        return pod.path("none");
    }

    private static String nameOf(JsonNode pod) {
        return pod.at("/metadata/name").asText();
    }

    /// Victims by the preemptor for whose sake they were evicted, by uid.
    Map<String, Set<String>> victims() {
        var victims = new HashMap<String, Set<String>>();
        for (var event : cluster.events()) {
            if (event.path("reason").asText().equals("Preempted")) {
                victims.computeIfAbsent(event.at("/related/name").asText(), _ -> new HashSet<>())
                        .add(event.at("/regarding/uid").asText());
            }
        }
        return victims;
    }

    /// How much room is lost: all pods go, and as many come as the cluster has room for. Whatever a
    /// scheduler has forgotten to give back shows now.
    int lostRoom() throws InterruptedException {
        untilEmpty(() -> {
            var left = cluster.pods();
            left.forEach(pod -> cluster.deletePod(nameOf(pod)));
            return left;
        });
        int room = Users.NODES * Users.NODE_CPUS;
        for (int i = 0; i < room; i++) {
            cluster.createPod(LAST + i, "", "", 1);
        }
        return untilEmpty(() ->
                        cluster.pods().stream()
                                .filter(pod -> pod.at("/spec/nodeName").asText().isEmpty())
                                .toList())
                .size();
    }

    /// How many pods still wait for a permit. One that was deleted waits until the server has
    /// answered what was written of it before.
    int leftWaiting(Gang gang) throws InterruptedException {
        return untilEmpty(gang::waiting).size();
    }

    private static <T> List<T> untilEmpty(Supplier<List<T>> question) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var left = question.get();
            if (left.isEmpty() || System.nanoTime() > deadline) {
                return left;
            }
            Thread.sleep(PAUSE);
        }
    }
}
