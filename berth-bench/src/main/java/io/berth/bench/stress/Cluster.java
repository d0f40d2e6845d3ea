package io.berth.bench.stress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.KubeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.StreamSupport;

/// The API server, and a client that it does not hinder.
final class Cluster implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

    private final EmbeddedApiServer server;
    private final Connection connection;
    private final ApiClient client;

    Cluster(BusyServer hindrance) throws IOException {
        server =
                EmbeddedApiServer.start(
                        EmbeddedApiServer.Options.DEFAULT
                                .withTrackFields(false)
                                .withHindrance(hindrance));
        var file = Files.createTempFile("stress", ".kubeconfig");
        try {
            Files.writeString(file, server.kubeconfig());
            connection = KubeConfig.load(file).connection("");
        } finally {
            Files.delete(file);
        }
        client =
                new ApiClient(
                        connection, ClientOptions.DEFAULT.withRate(-1, 0).withUserAgent("stress"));
        create(
                "/apis/scheduling.k8s.io/v1/priorityclasses",
                """
                {"metadata": {"name": "%s"}, "value": 1000}
                """
                        .formatted(Users.BOSS));
    }

    Connection connection() {
        return connection;
    }

    ApiClient client() {
        return client;
    }

    private void create(String path, String body) {
        client.send(ApiRequest.create(path, body.getBytes(StandardCharsets.UTF_8)));
    }

    /// @param taint empty, or the key of a taint that no pod tolerates
    void createNode(String name, int cpus, String taint) {
        var spec =
                taint.isEmpty()
                        ? ""
                        : "\"spec\": {\"taints\": [{\"key\": \"%s\", \"effect\": \"NoSchedule\"}]},"
                                .formatted(taint);
        create(
                "/api/v1/nodes",
                """
                {"metadata": {"name": "%s"}, %s "status": {
                  "allocatable": {"cpu": "%d", "memory": "64Gi", "pods": "110"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """
                        .formatted(name, spec, cpus));
    }

    /// A kubelet says that its node is well: news without consequences.
    void heartbeat(String node, long number) {
        var patch =
                """
                {"status": {"conditions": [{"type": "Ready", "status": "True", "message": "%d"}]}}
                """
                        .formatted(number);
        patch("/api/v1/nodes/" + node + "/status", patch);
    }

    /// @param more further fields of its spec, each followed by a comma
    void createPod(String name, String labels, String more, int cpus) {
        create(
                PODS,
                """
                {"metadata": {"name": "%s", "labels": {%s}}, "spec": {%s "containers": [
                  {"name": "c", "image": "i", "resources": {"requests": {"cpu": "%d"}}}]}}
                """
                        .formatted(name, labels, more, cpus));
    }

    void run(String pod, String uid) {
        patch(
                PODS + "/" + pod + "/status",
                """
                {"metadata": {"uid": "%s"}, "status": {"phase": "Running",
                  "startTime": "2026-01-01T00:00:00Z"}}
                """
                        .formatted(uid));
    }

    private void patch(String path, String body) {
        try {
            client.send(
                    ApiRequest.patch(
                            path,
                            ApiRequest.STRATEGIC_MERGE_PATCH,
                            body.getBytes(StandardCharsets.UTF_8)));
        } catch (ApiException gone) {
            // Deleted meanwhile, or made anew.
        }
    }

    void deleteNode(String name) {
        delete("/api/v1/nodes/" + name, "{}");
    }

    void deletePod(String name) {
        delete(PODS + "/" + name, "{}");
    }

    /// A pod has come to its end.
    void removePod(String name, String uid) {
        delete(
                PODS + "/" + name,
                "{\"gracePeriodSeconds\": 0, \"preconditions\": {\"uid\": \"%s\"}}".formatted(uid));
    }

    private void delete(String path, String options) {
        try {
            client.send(ApiRequest.delete(path, options.getBytes(StandardCharsets.UTF_8)));
        } catch (ApiException gone) {
            // Somebody was faster.
        }
    }

    List<JsonNode> pods() {
        return items(PODS);
    }

    List<JsonNode> events() {
        return items(EVENTS);
    }

    private List<JsonNode> items(String path) {
        var list = read(client.send(ApiRequest.get(path)).text());
        return StreamSupport.stream(list.path("items").spliterator(), false).toList();
    }

    static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
