package io.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.PortInUseException;
import io.berth.app.log.ProcessLog;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.KubeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Everything that `berth up` starts, over real connections, on any free port.
@Timeout(300)
class LocalClusterTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> told = new CopyOnWriteArrayList<>();

    @Test
    void demoPodsGetNodesAndRunExceptTheOneThatFitsNowhere() throws Exception {
        try (var cluster = start(options(3, 12, true))) {
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 11);
            await().atMost(PATIENCE)
                    .until(() ->
                            told.stream().anyMatch(line -> line.startsWith("demo/too-big stays")));
            Snapshot snapshot = cluster.picture().snapshot();
            assertThat(snapshot.nodes())
                    .extracting(Snapshot.NodeUse::name)
                    .containsExactly("node-1", "node-2", "node-3");
            assertThat(snapshot.pending())
                    .singleElement()
                    .satisfies(pod -> {
                        assertThat(pod.name()).isEqualTo("demo/too-big");
                        assertThat(pod.reason())
                                .startsWith("0/3 nodes are available: 3 Insufficient cpu.");
                    });
            assertThat(told).filteredOn(line -> line.contains(" -> node-")).hasSize(11);
        }
    }

    @Test
    void deletedPodVanishes() throws Exception {
        try (var cluster = start(options(2, 4, true));
                var client = client(cluster)) {
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 3);
            client.send(ApiRequest.delete("/api/v1/namespaces/demo/pods/web-1", null));
            await().atMost(PATIENCE)
                    .until(() -> isGone(client, "/api/v1/namespaces/demo/pods/web-1"));
        }
    }

    @Test
    void emptyClusterStartsWithoutPods() throws Exception {
        try (var cluster = start(options(1, UpOptions.PODS_BY_TEMPLATE, false));
                var client = client(cluster)) {
            assertThat(client.send(ApiRequest.get("/api/v1/pods")).text()).contains("\"items\":[]");
        }
    }

    @Test
    void stoppingTakesTheKubeconfigAway() throws Exception {
        var cluster = start(options(1, 2, true));
        Path kubeconfig = cluster.kubeconfig();
        assertThat(kubeconfig).exists();
        cluster.close();
        assertThat(kubeconfig.getParent()).doesNotExist();
    }

    @Test
    void busyPortIsRefusedByNumberAndLeavesTheOtherClusterAlone() throws Exception {
        try (var first = start(options(1, 0, false))) {
            int port = first.server().getPort();
            assertThatThrownBy(() -> start(new UpOptions(1, 0, port, 1, false, true, 0)))
                    .isInstanceOf(PortInUseException.class)
                    .hasMessageContaining(Integer.toString(port));
            assertThat(first.kubeconfig()).exists();
        }
    }

    private LocalCluster start(UpOptions options) throws InterruptedException {
        return LocalCluster.start(
                options, ProcessLog.process(), happening -> told.add(happening.text()));
    }

    private static UpOptions options(int nodes, int pods, boolean demo) {
        return new UpOptions(nodes, pods, 0, 3, demo, true, 0);
    }

    private static ApiClient client(LocalCluster cluster) {
        return new ApiClient(
                KubeConfig.load(cluster.kubeconfig()).connection(""), ClientOptions.DEFAULT);
    }

    private static boolean isGone(ApiClient client, String path) {
        try {
            client.send(ApiRequest.get(path));
            return false;
        } catch (ApiException answer) {
            return answer.code() == 404;
        }
    }
}
