package io.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.berth.e2e.HttpApi.Response;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/// The nodes and pods of a test, written and read over HTTP. A node has 110 places and 8 Gi of
/// memory, a pod one container.
final class Objects {
    private final HttpApi api;
    private final String namespace;

    Objects(HttpApi api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    void createNode(String name, String cpu) {
        String resources = "{\"cpu\":\"%s\",\"memory\":\"8Gi\",\"pods\":\"110\"}".formatted(cpu);
        api.post(
                        "/api/v1/nodes",
                        """
                        {"apiVersion":"v1","kind":"Node",
                         "metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"}},
                         "status":{"capacity":%2$s,"allocatable":%2$s,
                                   "conditions":[{"type":"Ready","status":"True"}]}}
                        """
                                .formatted(name, resources))
                .ok();
    }

    void deleteNode(String name) {
        api.delete("/api/v1/nodes/" + name);
    }

    String namespace() {
        return namespace;
    }

    void createPod(String name, String cpu) {
        api.post(
                        "/api/v1/namespaces/" + namespace + "/pods",
                        """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
                         "spec":{"containers":[{"name":"main","image":"example/main:1",
                                 "resources":{"requests":{"cpu":"%s"}}}]}}
                        """
                                .formatted(name, cpu))
                .ok();
    }

    /// At once: there is no kubelet to end them.
    void deletePods() {
        api.delete("/api/v1/namespaces/" + namespace + "/pods?gracePeriodSeconds=0").ok();
    }

    void deletePod(String name) {
        api.delete("/api/v1/namespaces/" + namespace + "/pods/" + name + "?gracePeriodSeconds=0")
                .ok();
    }

    Response pod(String name) {
        return api.get("/api/v1/namespaces/" + namespace + "/pods/" + name);
    }

    /// Binds by hand, as a scheduler does.
    Response bind(String pod, String node) {
        return api.post(
                "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/binding",
                """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
                 "target":{"apiVersion":"v1","kind":"Node","name":"%s"}}
                """
                        .formatted(pod, node));
    }

    /// Waits until a pod has come so far; fails with the scheduler's log if it does not.
    void awaitPod(
            String name, Duration limit, SchedulerProcess scheduler, Predicate<Response> reached) {
        scheduler.process().await("done with pod " + name, limit, () -> reached.test(pod(name)));
    }

    /// Waits for an event about a pod; fails with the scheduler's log if there is none.
    void awaitEvent(String pod, String reason, Duration limit, SchedulerProcess scheduler) {
        scheduler
                .process()
                .await(
                        "sending the event %s about %s".formatted(reason, pod),
                        limit,
                        () -> !events(pod, reason).isEmpty());
    }

    /// The events about a pod with the given reason.
    List<JsonNode> events(String pod, String reason) {
        var list = api.get("/apis/events.k8s.io/v1/namespaces/" + namespace + "/events").ok();
        return StreamSupport.stream(list.at("/items").spliterator(), false)
                .filter(event -> event.at("/regarding/name").asText().equals(pod))
                .filter(event -> event.at("/reason").asText().equals(reason))
                .toList();
    }

    /// The condition of a pod with the given type, or a missing node.
    JsonNode condition(String pod, String type) {
        return StreamSupport.stream(pod(pod).body().at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.at("/type").asText().equals(type))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }
}
