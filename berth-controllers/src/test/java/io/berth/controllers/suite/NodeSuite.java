package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.conformance.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Nodes that get into trouble, and the pods on them.
public abstract class NodeSuite extends SuiteBase {
    private String node() {
        return "/api/v1/nodes/n-" + namespace;
    }

    @BeforeEach
    void createNode() {
        created("/api/v1/nodes", "{\"metadata\":{\"name\":\"n-" + namespace + "\"}}");
        ready("True");
    }

    @AfterEach
    void deleteNode() {
        client.delete(node());
    }

    private void ready(String status) {
        client.patch(
                node() + "/status",
                Client.STRATEGIC,
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\""
                        + status
                        + "\"}]}}");
    }

    private boolean isTainted(String key, String effect) {
        return client.get(node())
                .body()
                .at("/spec/taints")
                .valueStream()
                .anyMatch(each ->
                        each.path("key").asText().equals("node.kubernetes.io/" + key)
                                && each.path("effect").asText().equals(effect));
    }

    private void place(String name, String spec) {
        created(pods(), pod(name, "\"nodeName\":\"n-" + namespace + "\"," + spec));
    }

    @Test
    void conditionsBecomeTaints() {
        ready("False");
        until("not ready", () -> isTainted("not-ready", "NoExecute"));
        assertThat(isTainted("not-ready", "NoSchedule")).isTrue();
        ready("Unknown");
        until("unreachable", () -> isTainted("unreachable", "NoExecute"));
        until("no longer not ready", () -> !isTainted("not-ready", "NoExecute"));
        ready("True");
        until("no taint", () -> client.get(node()).body().at("/spec/taints").isEmpty());
    }

    @Test
    void cordonedNodeIsTainted() {
        merged(node(), "{\"spec\":{\"unschedulable\":true}}");
        until("tainted", () -> isTainted("unschedulable", "NoSchedule"));
        merged(node(), "{\"spec\":{\"unschedulable\":null}}");
        until("no taint", () -> client.get(node()).body().at("/spec/taints").isEmpty());
    }

    @Test
    void podsGoWhenTheirPatienceEnds() {
        place(
                "short",
                """
                "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",
                  "effect":"NoExecute","tolerationSeconds":1}],\
                """);
        place(
                "long",
                """
                "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",
                  "effect":"NoExecute"}],\
                """);
        ready("False");
        until(
                "the impatient one goes",
                () -> {
                    var pod = client.get(pods() + "/short");
                    return pod.code() == 404 || pod.body().at("/metadata").has("deletionTimestamp");
                });
        assertThat(client.get(pods() + "/long").body().at("/metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void podsOfANodeThatIsGoneAreDeleted() {
        place("lost", "");
        untilAt(pods() + "/lost", "/metadata/name", "lost");
        client.delete(node());
        untilGone(pods() + "/lost");
    }

    @Test
    void everyNamespaceHasItsAccount() {
        untilAt(path("", "serviceaccounts") + "/default", "/metadata/name", "default");
        client.delete(path("", "serviceaccounts") + "/default");
        untilAt(path("", "serviceaccounts") + "/default", "/metadata/name", "default");
    }
}
