package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.conformance.Answer;
import io.berth.apiserver.conformance.Client;
import io.berth.apiserver.conformance.ConformanceBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;

/// What the suites share: paths, workloads, waiting.
public abstract class SuiteBase extends ConformanceBase {
    private static final String BACKGROUND = "{\"propagationPolicy\":\"Background\"}";

    /// kube-controller-manager looks for pods of lost nodes every 20 seconds, and asks again after
    /// 40.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// Whatever is left would go on making pods.
    @AfterEach
    void deleteWorkloads() {
        for (String plural : List.of("deployments", "replicasets", "statefulsets", "daemonsets")) {
            client.delete(path("apps", plural), BACKGROUND);
        }
        client.delete(path("batch", "cronjobs"), BACKGROUND);
        client.delete(path("batch", "jobs"), BACKGROUND);
        client.delete(path("", "replicationcontrollers"), BACKGROUND);
    }

    protected String path(String group, String plural) {
        String root = group.isEmpty() ? "/api/v1" : "/apis/" + group + "/v1";
        return root + "/namespaces/" + namespace + "/" + plural;
    }

    protected String deployments() {
        return path("apps", "deployments");
    }

    protected String replicaSets() {
        return path("apps", "replicasets");
    }

    /// A workload with pods that are labelled `app: NAME`.
    protected static String workload(String name, String spec, String image, String podLabels) {
        return """
        {"metadata":{"name":"%1$s"},"spec":{%2$s
          "selector":{"matchLabels":{"app":"%1$s"}},
          "template":{"metadata":{"labels":{"app":"%1$s"%4$s}},
            "spec":{"terminationGracePeriodSeconds":1,
              "containers":[{"name":"c","image":"%3$s"}]}}}}\
        """
                .formatted(name, spec, image, podLabels);
    }

    protected static String workload(String name, int replicas) {
        return workload(name, "\"replicas\":" + replicas + ",", "nginx:1", "");
    }

    protected static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    protected void untilAt(String path, String pointer, String value) {
        until(
                path + " has " + value + " at " + pointer,
                () -> client.get(path).at(pointer).equals(value));
    }

    protected void untilGone(String path) {
        until(path + " is gone", () -> client.get(path).code() == 404);
    }

    protected List<JsonNode> items(String path) {
        var items = new ArrayList<JsonNode>();
        client.get(path).body().path("items").forEach(items::add);
        return items;
    }

    /// The pods of a workload that are not on their way out.
    protected List<JsonNode> podsOf(String app) {
        return items(pods() + "?labelSelector=app%3D" + app).stream()
                .filter(pod -> !pod.at("/metadata").has("deletionTimestamp"))
                .toList();
    }

    protected Answer merged(String path, String patch) {
        Answer answer = client.patch(path, Client.MERGE, patch);
        assertThat(answer.code()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    protected void setImage(String path, String image) {
        Answer answer =
                client.patch(
                        path,
                        Client.STRATEGIC,
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\""
                                + image
                                + "\"}]}}}}");
        assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    }

    protected void deleted(String path, String policy) {
        Answer answer = client.delete(path, "{\"propagationPolicy\":\"" + policy + "\"}");
        assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    }
}
