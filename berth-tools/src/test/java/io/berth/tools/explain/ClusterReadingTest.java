package io.berth.tools.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth explain` on an API server without any scheduler.
final class ClusterReadingTest {
    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);

    @TempDir Path folder;
    private String kubeconfig = "";

    @BeforeEach
    void fill() throws IOException {
        var file = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
        kubeconfig = file.toString();
        try (var client =
                new ApiClient(
                        KubeConfig.load(file).connection(""),
                        ClientOptions.DEFAULT.withRate(-1, 0))) {
            create(
                    client,
                    "/api/v1/nodes",
                    """
                    {"metadata": {"name": "n1"}, "status": {
                      "allocatable": {"cpu": "1", "memory": "1Gi", "pods": "10"}}}
                    """);
            create(
                    client,
                    "/apis/scheduling.k8s.io/v1/priorityclasses",
                    """
                    {"metadata": {"name": "high"}, "value": 1000}
                    """);
            create(
                    client,
                    "/api/v1/namespaces/default/pods",
                    """
                    {"metadata": {"name": "sits"}, "spec": {"nodeName": "n1", "containers": [
                      {"name": "c", "image": "i", "resources": {"requests": {"cpu": "600m"}}}]}}
                    """);
            create(
                    client,
                    "/api/v1/namespaces/default/pods",
                    """
                    {"metadata": {"name": "waits"}, "spec": {"containers": [
                      {"name": "c", "image": "i", "resources": {"requests": {"cpu": "500m"}}}]}}
                    """);
        }
    }

    private static void create(ApiClient client, String path, String json) {
        client.send(ApiRequest.create(path, json.getBytes(StandardCharsets.UTF_8)));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void clusterIsReadWithWhatPrioritiesThereAre() {
        var run = Run.of("pod", "waits", "--kubeconfig", kubeconfig, "-o", "wide");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("cluster, 1 nodes and 2 pods read in")
                .contains("WaitingForRoom: the one node suits it, but is full.")
                .contains("cpu: 500m wanted, 400m free")
                .contains("request cpu 400m instead of 500m (-20 %)")
                .contains("with priorityClass high it would evict default/sits from n1");
    }
}
