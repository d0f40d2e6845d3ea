package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Disruption budgets, and nodes in trouble.
public abstract class DisruptionSuite extends SuiteBase {
    private String budgets() {
        return path("policy", "poddisruptionbudgets");
    }

    private void budget(String spec) {
        created(
                budgets(),
                "{\"metadata\":{\"name\":\"b\"},\"spec\":{"
                        + spec
                        + ",\"selector\":{\"matchLabels\":{\"app\":\"web\"}}}}");
    }

    private int evict(String pod) {
        return client.post(
                        pods() + "/" + pod + "/eviction",
                        "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\""
                                + pod
                                + "\"}}")
                .code();
    }

    private String anyPod() {
        return podsOf("web").getFirst().at("/metadata/name").asText();
    }

    @Test
    void budgetTellsHowManyMayGo() {
        created(deployments(), workload("web", 4));
        budget("\"minAvailable\":3");
        untilAt(budgets() + "/b", "/status/disruptionsAllowed", "1");
        var status = client.get(budgets() + "/b");
        assertThat(status.at("/status/currentHealthy")).isEqualTo("4");
        assertThat(status.at("/status/desiredHealthy")).isEqualTo("3");
        assertThat(status.at("/status/expectedPods")).isEqualTo("4");
    }

    @Test
    void shareIsOfWhatTheOwnerWants() {
        created(deployments(), workload("web", 4));
        budget("\"maxUnavailable\":\"50%\"");
        untilAt(budgets() + "/b", "/status/disruptionsAllowed", "2");
        assertThat(client.get(budgets() + "/b").at("/status/desiredHealthy")).isEqualTo("2");
    }

    /// As `kubectl drain` does it: refused now, allowed once another pod stands in.
    @Test
    void evictionsGoOnAsPodsAreReplaced() {
        created(deployments(), workload("web", 2));
        budget("\"minAvailable\":1");
        untilAt(budgets() + "/b", "/status/disruptionsAllowed", "1");
        String first = anyPod();
        assertThat(evict(first)).isEqualTo(201);
        untilGone(pods() + "/" + first);
        untilAt(budgets() + "/b", "/status/disruptionsAllowed", "1");
        String second = anyPod();
        until("the second may go too", () -> evict(second) == 201);
    }

    @Test
    void unreadyPodsDoNotCount() {
        created(
                deployments(),
                workload("web", "\"replicas\":2,", "nginx:1", ",\"play\":\"unready\""));
        budget("\"minAvailable\":1");
        untilAt(budgets() + "/b", "/status/expectedPods", "2");
        until(
                "they run",
                () ->
                        podsOf("web").stream()
                                .allMatch(
                                        pod -> pod.at("/status/phase").asText().equals("Running")));
        assertThat(client.get(budgets() + "/b").at("/status/disruptionsAllowed")).isEqualTo("0");
        assertThat(evict(anyPod())).isEqualTo(429);
    }
}
