package io.berth.controllers.suite;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.conformance.Answer;
import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.apiserver.conformance.Client;
import java.net.http.HttpClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Plays scheduler and kubelets: gives pods a node in turn, has them run and get ready, ends those
/// that are to end, and lets deleted ones go. A pod's label `play` tells it to do otherwise:
/// `unready` runs without getting ready, `fail` fails, `last` runs though it could end.
///
/// Pods with claims get their node once the claims are bound; until then a claim that waits is told
/// the node, as the scheduler does.
public final class PlayedNodes implements AutoCloseable {
    public static final List<String> NAMES = List.of("played-0", "played-1", "played-2");

    /// The label that they have, and no others.
    static final String LABEL = "played";

    private static final String SELECTED = "volume.kubernetes.io/selected-node";

    private final Client client;
    private final Thread thread;
    private final Map<String, Integer> choices = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public PlayedNodes(ApiUnderTest api) {
        client = new Client(api, HttpClient.Version.HTTP_2);
        NAMES.forEach(this::register);
        thread = Thread.ofPlatform().daemon().name("played-nodes").start(this::play);
    }

    private void register(String name) {
        int index = NAMES.indexOf(name);
        client.post(
                "/api/v1/nodes",
                """
                {"metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",
                  "%3$s":"true","topology.kubernetes.io/zone":"zone-%2$d"}},
                 "status":{"capacity":{"cpu":"64","memory":"64Gi","pods":"500"},
                  "conditions":[{"type":"Ready","status":"True"}]}}\
                """
                        .formatted(name, index, LABEL));
        // A real server taints new nodes and lets creators say no status.
        client.patch(
                "/api/v1/nodes/" + name + "/status",
                Client.STRATEGIC,
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    }

    private void play() {
        while (!closed) {
            try {
                standUp();
                for (JsonNode pod : client.get("/api/v1/pods").body().path("items")) {
                    turn(pod);
                }
                Thread.sleep(30);
            } catch (InterruptedException stop) {
                return;
            } catch (RuntimeException trouble) {
                // The server may be on its way down; the next round will tell.
            }
        }
    }

    /// Whoever clears a cluster between suites takes the nodes along.
    private void standUp() {
        Answer nodes = client.get("/api/v1/nodes");
        List<String> there =
                nodes.body()
                        .path("items")
                        .valueStream()
                        .map(node -> node.at("/metadata/name").asText())
                        .toList();
        if (nodes.code() == 200) {
            NAMES.stream().filter(name -> !there.contains(name)).forEach(this::register);
        }
    }

    private void turn(JsonNode pod) {
        String node = pod.at("/spec/nodeName").asText("");
        String phase = pod.at("/status/phase").asText();
        boolean deleting = pod.at("/metadata").has("deletionTimestamp");
        if (deleting && !node.isEmpty()) {
            client.delete(
                    path(pod),
                    "{\"gracePeriodSeconds\":0,\"preconditions\":{\"uid\":\""
                            + pod.at("/metadata/uid").asText()
                            + "\"}}");
        } else if (deleting) {
            return;
        } else if (node.isEmpty()) {
            place(pod);
        } else if (phase.equals("Pending")) {
            run(pod);
        } else if (phase.equals("Running") && mayEnd(pod)) {
            end(pod);
        }
    }

    private static boolean mayEnd(JsonNode pod) {
        return !pod.at("/spec/restartPolicy").asText().equals("Always")
                && !played(pod).equals("last");
    }

    private static String played(JsonNode pod) {
        return pod.at("/metadata/labels/play").asText("");
    }

    private void place(JsonNode pod) {
        String node = node(pod);
        if (!client.get("/api/v1/nodes/" + node).name().equals(node)
                || !claimsAreBound(pod, node)) {
            return;
        }
        client.post(
                path(pod) + "/binding",
                "{\"metadata\":{\"name\":\""
                        + pod.at("/metadata/name").asText()
                        + "\"},\"target\":{\"kind\":\"Node\",\"name\":\""
                        + node
                        + "\"}}");
    }

    /// The node that a daemon's pod asks for, or one in turn.
    private String node(JsonNode pod) {
        String wanted =
                pod.at(
                                "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                                        + "/nodeSelectorTerms/0/matchFields/0/values/0")
                        .asText("");
        int turn = choices.computeIfAbsent(pod.at("/metadata/uid").asText(), _ -> choices.size());
        return wanted.isEmpty() ? NAMES.get(turn % NAMES.size()) : wanted;
    }

    private boolean claimsAreBound(JsonNode pod, String node) {
        boolean all = true;
        for (JsonNode volume : pod.at("/spec/volumes")) {
            String name = volume.at("/persistentVolumeClaim/claimName").asText("");
            if (volume.has("ephemeral")) {
                name = pod.at("/metadata/name").asText() + "-" + volume.path("name").asText();
            }
            if (!name.isEmpty()) {
                all &= claimIsBound(pod.at("/metadata/namespace").asText(), name, node);
            }
        }
        return all;
    }

    private boolean claimIsBound(String namespace, String name, String node) {
        String path = "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims/" + name;
        Answer claim = client.get(path);
        if (claim.at("/status/phase").equals("Bound")) {
            return true;
        }
        if (claim.code() == 200 && !claim.body().at("/metadata/annotations").has(SELECTED)) {
            client.patch(
                    path,
                    Client.MERGE,
                    "{\"metadata\":{\"annotations\":{\"" + SELECTED + "\":\"" + node + "\"}}}");
        }
        return false;
    }

    private void run(JsonNode pod) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        String ready = played(pod).equals("unready") ? "False" : "True";
        client.patch(
                path(pod) + "/status",
                Client.STRATEGIC,
                """
                {"status":{"phase":"Running","startTime":"%1$s","conditions":[
                  {"type":"Ready","status":"%2$s","lastTransitionTime":"%1$s"}]}}\
                """
                        .formatted(now, ready));
    }

    private void end(JsonNode pod) {
        String phase = played(pod).equals("fail") ? "Failed" : "Succeeded";
        client.patch(
                path(pod) + "/status",
                Client.STRATEGIC,
                "{\"status\":{\"phase\":\""
                        + phase
                        + "\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}");
    }

    private static String path(JsonNode pod) {
        return "/api/v1/namespaces/"
                + pod.at("/metadata/namespace").asText()
                + "/pods/"
                + pod.at("/metadata/name").asText();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
