package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Deployments and replica sets.
public abstract class DeploymentSuite extends SuiteBase {
    private static final String REVISION =
            "/metadata/annotations/deployment.kubernetes.io~1revision";

    private String complete(String name, int replicas) {
        String path = deployments() + "/" + name;
        until(
                name + " is complete",
                () -> {
                    var it = client.get(path);
                    return it.at("/status/observedGeneration").equals(it.at("/metadata/generation"))
                            && it.at("/status/updatedReplicas").equals(Integer.toString(replicas))
                            && it.at("/status/replicas").equals(Integer.toString(replicas))
                            && it.at("/status/availableReplicas")
                                    .equals(Integer.toString(replicas));
                });
        return path;
    }

    private List<JsonNode> sets() {
        return items(replicaSets()).stream()
                .sorted(Comparator.comparingInt(set -> set.at(REVISION).asInt()))
                .toList();
    }

    @Test
    void deploymentGetsItsPods() {
        created(deployments(), workload("web", 5));
        String path = complete("web", 5);
        assertThat(podsOf("web")).hasSize(5);
        assertThat(client.get(path).at(REVISION)).isEqualTo("1");
        JsonNode set = sets().getFirst();
        String hash = set.at("/metadata/labels/pod-template-hash").asText();
        assertThat(set.at("/metadata/name").asText()).isEqualTo("web-" + hash);
        assertThat(set.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Deployment");
        assertThat(podsOf("web"))
                .allMatch(pod ->
                        pod.at("/metadata/labels/pod-template-hash").asText().equals(hash)
                                && pod.at("/metadata/ownerReferences/0/kind")
                                        .asText()
                                        .equals("ReplicaSet"));
        until(
                "progress is told",
                () ->
                        client.get(path)
                                .body()
                                .at("/status/conditions")
                                .toString()
                                .contains("NewReplicaSetAvailable"));
    }

    @Test
    void scaleChangesTheNumberOfPods() {
        created(deployments(), workload("web", 2));
        String path = complete("web", 2);
        merged(path + "/scale", "{\"spec\":{\"replicas\":6}}");
        complete("web", 6);
        merged(path + "/scale", "{\"spec\":{\"replicas\":1}}");
        complete("web", 1);
        assertThat(podsOf("web")).hasSize(1);
        assertThat(sets()).hasSize(1);
        until(
                "it is told",
                () ->
                        items(path("", "events")).stream()
                                .anyMatch(event ->
                                        event.path("reason").asText().equals("ScalingReplicaSet")
                                                && event.path("message")
                                                        .asText()
                                                        .contains("from 6 to 1")));
    }

    @Test
    void newTemplateIsANewRevisionAndUndoBringsBackTheOldSet() {
        created(deployments(), workload("web", 4));
        String path = complete("web", 4);
        setImage(path, "nginx:2");
        complete("web", 4);
        assertThat(sets()).hasSize(2);
        assertThat(client.get(path).at(REVISION)).isEqualTo("2");
        assertThat(podsOf("web"))
                .allMatch(pod -> pod.at("/spec/containers/0/image").asText().equals("nginx:2"));
        setImage(path, "nginx:1");
        complete("web", 4);
        assertThat(sets()).hasSize(2);
        until("the revision is the third", () -> client.get(path).at(REVISION).equals("3"));
        assertThat(sets().getLast().at("/spec/template/spec/containers/0/image").asText())
                .isEqualTo("nginx:1");
        assertThat(
                        sets().getLast()
                                .at(
                                        "/metadata/annotations/deployment.kubernetes.io~1revision-history")
                                .asText())
                .isEqualTo("1");
    }

    /// Pods that never get ready may take the place of no more old ones than may be missing.
    @Test
    void rollingUpdateKeepsTheMinimum() {
        String spec =
                """
                "replicas":4,"strategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":1}},\
                """;
        created(deployments(), workload("web", spec, "nginx:1", ""));
        String path = complete("web", 4);
        merged(
                path,
                "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"play\":\"unready\"}}}}}");
        until(
                "the new pods are there",
                () -> client.get(path).at("/status/updatedReplicas").equals("2"));
        until(
                "five pods, three of them old",
                () ->
                        podsOf("web").size() == 5
                                && podsOf("web").stream()
                                                .filter(p -> !p.at("/metadata/labels").has("play"))
                                                .count()
                                        == 3);
        assertThat(client.get(path).at("/status/availableReplicas")).isEqualTo("3");
        setImage(path, "nginx:3");
        merged(path, "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"play\":null}}}}}");
        complete("web", 4);
    }

    @Test
    void recreateHasOldAndNewPodsNeverTogether() {
        created(
                deployments(),
                workload(
                        "web",
                        "\"replicas\":3,\"strategy\":{\"type\":\"Recreate\"},",
                        "nginx:1",
                        ""));
        String path = complete("web", 3);
        try (var watch =
                client.watch(
                        pods()
                                + "?watch=true&labelSelector=app%3Dweb&resourceVersion="
                                + client.get(pods()).at("/metadata/resourceVersion"))) {
            setImage(path, "nginx:2");
            complete("web", 3);
            int gone = 0;
            while (gone < 3) {
                JsonNode event = watch.next();
                boolean old =
                        event.at("/object/spec/containers/0/image").asText().equals("nginx:1");
                assertThat(old).as("a new pod while old ones are there").isTrue();
                gone += event.path("type").asText().equals("DELETED") ? 1 : 0;
            }
        }
    }

    @Test
    void pausedDeploymentScalesButDoesNotRoll() {
        created(deployments(), workload("web", 2));
        String path = complete("web", 2);
        merged(path, "{\"spec\":{\"paused\":true}}");
        setImage(path, "nginx:2");
        merged(path, "{\"spec\":{\"replicas\":3}}");
        until("three pods", () -> podsOf("web").size() == 3);
        assertThat(sets()).hasSize(1);
        merged(path, "{\"spec\":{\"paused\":false}}");
        complete("web", 3);
        assertThat(sets()).hasSize(2);
    }

    @Test
    void oldRevisionsAreForgotten() {
        created(
                deployments(),
                workload("web", "\"replicas\":1,\"revisionHistoryLimit\":1,", "nginx:1", ""));
        String path = complete("web", 1);
        for (int i = 2; i <= 4; i++) {
            setImage(path, "nginx:" + i);
            complete("web", 1);
        }
        until("two sets are left", () -> sets().size() == 2);
    }

    @Test
    void deletedPodIsReplaced() {
        created(replicaSets(), workload("web", 3));
        until("three pods run", () -> ready("web") == 3);
        String victim = podsOf("web").getFirst().at("/metadata/name").asText();
        client.delete(pods() + "/" + victim);
        until(
                "another one is there",
                () ->
                        ready("web") == 3
                                && podsOf("web").stream()
                                        .noneMatch(p ->
                                                p.at("/metadata/name").asText().equals(victim)));
        untilAt(replicaSets() + "/web", "/status/readyReplicas", "3");
    }

    @Test
    void replicaSetTakesInPodsAndLetsThemGo() {
        created(pods(), pod("stray").replace("\"web\"", "\"set\""));
        created(replicaSets(), workload("set", 2));
        until("two pods", () -> ready("set") == 2);
        untilAt(pods() + "/stray", "/metadata/ownerReferences/0/kind", "ReplicaSet");
        merged(pods() + "/stray", "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
        until(
                "the stray is free",
                () ->
                        client.get(pods() + "/stray")
                                .body()
                                .at("/metadata/ownerReferences")
                                .isEmpty());
        until("two others", () -> ready("set") == 2);
    }

    @Test
    void availabilityTakesItsTime() {
        created(
                replicaSets(),
                workload("slow", "\"replicas\":1,\"minReadySeconds\":2,", "nginx:1", ""));
        untilAt(replicaSets() + "/slow", "/status/readyReplicas", "1");
        untilAt(replicaSets() + "/slow", "/status/availableReplicas", "1");
    }

    @Test
    void replicationControllersWorkTheOldWay() {
        created(
                path("", "replicationcontrollers"),
                """
                {"metadata":{"name":"old"},"spec":{"replicas":2,
                  "template":{"metadata":{"labels":{"app":"old"}},
                    "spec":{"containers":[{"name":"c","image":"nginx"}]}}}}\
                """);
        until("two pods", () -> ready("old") == 2);
        untilAt(path("", "replicationcontrollers") + "/old", "/status/readyReplicas", "2");
    }

    private long ready(String app) {
        return podsOf(app).stream()
                .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
                .count();
    }
}
