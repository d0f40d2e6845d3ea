package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Binding and eviction.
public abstract class PodConformance extends ConformanceBase {
    private Answer bind(String name, String body) {
        return client.post(pods() + "/" + name + "/binding", body);
    }

    private static String binding(String name, String metadata) {
        return "{\"metadata\":{\"name\":\""
                + name
                + "\""
                + metadata
                + "},\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}";
    }

    @Test
    void bindingSetsTheNodeAndTheCondition() {
        created(pods(), pod("a"));
        client.patch(
                pods() + "/a/status", Client.MERGE, "{\"status\":{\"nominatedNodeName\":\"n2\"}}");
        Answer status = bind("a", binding("a", ",\"annotations\":{\"k\":\"v\"}"));
        assertThat(status.code()).isEqualTo(201);
        assertThat(status.at("/kind")).isEqualTo("Status");
        assertThat(status.at("/status")).isEqualTo("Success");
        Answer pod = client.get(pods() + "/a");
        assertThat(pod.at("/spec/nodeName")).isEqualTo("n1");
        assertThat(pod.at("/metadata/annotations/k")).isEqualTo("v");
        assertThat(pod.at("/status/conditions/0/type")).isEqualTo("PodScheduled");
        assertThat(pod.at("/status/conditions/0/status")).isEqualTo("True");
        assertThat(pod.body().path("status").has("nominatedNodeName")).isFalse();
        assertThat(pod.at("/metadata/generation")).isEqualTo("1");
    }

    @Test
    void boundPodCannotBeBoundAgain() {
        created(pods(), pod("a"));
        bound("a", "n1");
        Answer again = bind("a", binding("a", ""));
        assertFailure(
                again,
                409,
                "Conflict",
                "Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to"
                        + " node \"n1\"");
    }

    @Test
    void bindingToAnotherPodOfTheNameConflicts() {
        created(pods(), pod("a"));
        Answer answer = bind("a", binding("a", ",\"uid\":\"other\""));
        assertThat(answer.code()).isEqualTo(409);
        assertThat(answer.reason()).isEqualTo("Conflict");
        assertThat(answer.message())
                .startsWith(
                        "Operation cannot be fulfilled on pods \"a\": StorageError: invalid object,"
                                + " Code: 4, Key: /registry/pods/"
                                + namespace
                                + "/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition"
                                + " failed: UID in precondition: other, UID in object meta: ");
    }

    @Test
    void podsThatMustNotBeBoundAreNot() {
        assertFailure(
                bind("nobody", binding("nobody", "")),
                404,
                "NotFound",
                "pods \"nobody\" not found");
        created(pods(), pod("g", "\"schedulingGates\":[{\"name\":\"ex.io/g\"}],"));
        assertFailure(
                bind("g", binding("g", "")),
                409,
                "Conflict",
                "Operation cannot be fulfilled on pods/binding \"g\": pod g has non-empty"
                        + " .spec.schedulingGates");
        created(pods(), pod("d").replace("\"labels\"", "\"finalizers\":[\"ex.io/f\"],\"labels\""));
        client.delete(pods() + "/d");
        assertFailure(
                bind("d", binding("d", "")),
                409,
                "Conflict",
                "Operation cannot be fulfilled on pods/binding \"d\": pod d is being deleted,"
                        + " cannot be assigned to a host");
        client.patch(pods() + "/d", Client.MERGE, "{\"metadata\":{\"finalizers\":null}}");
    }

    @Test
    void bindingMustNameItsPodAndNode() {
        created(pods(), pod("a"));
        assertFailure(
                bind("a", binding("b", "")),
                400,
                "BadRequest",
                "name in URL does not match name in Binding object");
        Answer noTarget = bind("a", "{\"metadata\":{\"name\":\"a\"}}");
        assertThat(noTarget.code()).isEqualTo(500);
        assertThat(noTarget.message()).isEqualTo("target.name: Required value");
    }

    @Test
    void oldFormOfBindingWorks() {
        created(pods(), pod("a"));
        created("/api/v1/namespaces/" + namespace + "/bindings", binding("a", ""));
        assertThat(client.get(pods() + "/a").at("/spec/nodeName")).isEqualTo("n1");
    }

    private Answer evict(String name) {
        return client.post(
                pods() + "/" + name + "/eviction",
                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\""
                        + name
                        + "\"}}");
    }

    @Test
    void evictionHonoursTheBudget() {
        String budgets = "/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets";
        created(pods(), pod("a"));
        client.patch(
                pods() + "/a/status",
                Client.MERGE,
                "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\","
                        + "\"status\":\"True\"}]}}");
        created(
                budgets,
                "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"minAvailable\":1,\"selector\":"
                        + "{\"matchLabels\":{\"app\":\"web\"}}}}");
        Answer early = evict("a");
        assertFailure(
                early,
                429,
                "TooManyRequests",
                "Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(early.at("/details/causes/0/message"))
                .isEqualTo("The disruption budget b is still being processed by the server.");
        assertThat(early.at("/details/retryAfterSeconds")).isEqualTo("10");

        String status =
                "{\"status\":{\"observedGeneration\":1,\"currentHealthy\":%d,\"desiredHealthy\":1,"
                        + "\"expectedPods\":1,\"disruptionsAllowed\":%d}}";
        client.patch(budgets + "/b/status", Client.MERGE, status.formatted(1, 0));
        Answer refused = evict("a");
        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("DisruptionBudget");
        assertThat(refused.at("/details/causes/0/message"))
                .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");

        client.patch(budgets + "/b/status", Client.MERGE, status.formatted(2, 1));
        assertThat(evict("a").code()).isEqualTo(201);
        assertThat(client.get(pods() + "/a").code()).isEqualTo(404);
        Answer budget = client.get(budgets + "/b");
        assertThat(budget.at("/status/disruptionsAllowed")).isEqualTo("0");
        assertThat(budget.body().at("/status/disruptedPods").has("a")).isTrue();
    }

    @Test
    void pendingPodIsEvictedWhateverTheBudgetSays() {
        created(pods(), pod("a"));
        assertThat(evict("a").code()).isEqualTo(201);
        assertThat(client.get(pods() + "/a").code()).isEqualTo(404);
        assertFailure(evict("a"), 404, "NotFound", "pods \"a\" not found");
    }
}
