package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.PortInUseException;
import io.berth.app.log.ProcessLog;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Everything that `berth up` starts, over real connections, on any free port.
@Timeout(300)
class LocalClusterTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String WEB =
            """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
             "spec":{"replicas":50,"selector":{"matchLabels":{"app":"web"}},
              "template":{"metadata":{"labels":{"app":"web"}},
               "spec":{"containers":[{"name":"c","image":"nginx"}]}}}}
            """;

    private static final String DATABASE =
            """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},
             "spec":{"serviceName":"db","replicas":2,"selector":{"matchLabels":{"app":"db"}},
              "template":{"metadata":{"labels":{"app":"db"}},
               "spec":{"containers":[{"name":"c","image":"nginx"}]}},
              "volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{
               "accessModes":["ReadWriteOnce"],"storageClassName":"standard",
               "resources":{"requests":{"storage":"1Gi"}}}}]}}
            """;

    private static final String DEVICES = "/apis/resource.k8s.io/v1";
    private static final String CLAIMS = DEVICES + "/namespaces/default/resourceclaims";
    private static final String PODS = "/api/v1/namespaces/default/pods";

    private static final String BOARD =
            """
            {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate",
             "metadata":{"name":"board"},"spec":{"spec":{"devices":{
              "requests":[{"name":"gpus",
                "exactly":{"deviceClassName":"gpu.example.com","count":2}}],
              "constraints":[{"matchAttribute":"gpu.example.com/board"}]}}}}
            """;

    private static final String TRAIN =
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"train"},"spec":{
              "resourceClaims":[{"name":"gpus","resourceClaimTemplateName":"board"}],
              "containers":[{"name":"c","image":"i",
                "resources":{"claims":[{"name":"gpus"}]}}]}}
            """;

    private static final String ALLOCATED =
            """
            {"status":{"allocation":{"devices":{"results":[
                {"request":"gpus","driver":"gpu.example.com","pool":"node-1","device":"gpu-0"},
                {"request":"gpus","driver":"gpu.example.com","pool":"node-1","device":"gpu-1"}]}},
              "reservedFor":[{"resource":"pods","name":"train","uid":"UID"}]}}
            """;

    @TempDir Path folder;

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
    void deploymentGetsItsPodsAndTheyRun() throws Exception {
        try (var cluster = start(options(8, UpOptions.PODS_BY_TEMPLATE, false));
                var client = client(cluster)) {
            client.send(
                    ApiRequest.create(
                            "/apis/apps/v1/namespaces/default/deployments",
                            Json.bytes(Json.parse(WEB))));
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 50);
        }
    }

    /// Scheduler, provisioner and controllers have to agree: a volume is made where its pod goes.
    @Test
    void statefulSetEndsWithClaimsBoundInItsPodsZones() throws Exception {
        try (var cluster = start(options(3, UpOptions.PODS_BY_TEMPLATE, false));
                var client = client(cluster)) {
            client.send(
                    ApiRequest.create(
                            "/apis/apps/v1/namespaces/default/statefulsets",
                            Json.bytes(Json.parse(DATABASE))));
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 2);
            var claims =
                    client.send(ApiRequest.get("/api/v1/namespaces/default/persistentvolumeclaims"))
                            .text();
            assertThat(Json.parse(claims).path("items").valueStream())
                    .hasSize(2)
                    .allMatch(claim -> claim.at("/status/phase").asText().equals("Bound"));
        }
    }

    /// The same files that people watch are tests.
    @ParameterizedTest
    @ValueSource(strings = {"bad-selector", "preemption-cascade", "rolling-skew", "zone-outage"})
    void scenarioEndsAsItExpects(String name) throws Exception {
        endsAsItExpects(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5000-nodes", "black-friday", "gpu-fragmentation"})
    @Timeout(1200)
    @Thorough
    void longScenarioEndsAsItExpects(String name) throws Exception {
        endsAsItExpects(name);
    }

    private void endsAsItExpects(String name) throws Exception {
        var options = UpOptions.given("", name);
        try (var cluster = start(options)) {
            assertThat(cluster.scenario().orElseThrow().run()).as(told.toString()).isEmpty();
        }
    }

    /// The test plays the scheduler, so that claims, controllers and kubelet show what they do
    /// whatever scheduler comes.
    @Test
    void podThatClaimsDevicesRunsOnceItHasThemAndGivesThemBack() throws Exception {
        var options = new UpOptions(4, 1, 0, 1, true, true, false, true, "", "", false, 0);
        try (var cluster = start(options);
                var client = client(cluster)) {
            assertThat(names(client, DEVICES + "/deviceclasses"))
                    .contains("gpu.example.com", "partition.gpu.example.com");
            assertThat(names(client, DEVICES + "/resourceslices"))
                    .containsExactly(
                            "node-1-gpus", "node-2-counters", "node-2-partitions", "node-3-shared");
            client.send(
                    ApiRequest.create(
                            CLAIMS.replace("claims", "claimtemplates"),
                            Json.bytes(Json.parse(BOARD))));
            client.send(ApiRequest.create(PODS, Json.bytes(Json.parse(TRAIN))));
            await().atMost(PATIENCE).until(() -> names(client, CLAIMS).size() == 1);
            String demoClaims = CLAIMS.replace("default", DemoWorkload.NAMESPACE);
            await().atMost(PATIENCE).until(() -> names(client, demoClaims).size() == 6);
            String claim = CLAIMS + "/" + names(client, CLAIMS).getFirst();
            client.send(
                    ApiRequest.create(
                            PODS + "/train/binding",
                            Json.bytes(
                                    Json.parse(
                                            "{\"metadata\":{\"name\":\"train\"},\"target\":{\"kind\":\"Node\",\"name\":\"node-1\"}}"))));
            String uid = read(client, PODS + "/train").at("/metadata/uid").asText();
            client.send(
                    ApiRequest.patch(
                            claim + "/status",
                            "application/merge-patch+json",
                            Json.bytes(Json.parse(ALLOCATED.replace("UID", uid)))));
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 1);
            client.send(ApiRequest.delete(PODS + "/train", null));
            await().atMost(PATIENCE).until(() -> isGone(client, claim));
        }
    }

    @Test
    void podGetsTwoGpusOfOneBoardFromTheScheduler() throws Exception {
        var options = new UpOptions(4, 1, 0, 1, true, false, true, true, "", "", false, 0);
        try (var cluster = start(options);
                var client = client(cluster)) {
            client.send(
                    ApiRequest.create(
                            CLAIMS.replace("claims", "claimtemplates"),
                            Json.bytes(Json.parse(BOARD))));
            client.send(ApiRequest.create(PODS, Json.bytes(Json.parse(TRAIN))));
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 1);
            var claim = read(client, CLAIMS + "/" + names(client, CLAIMS).getFirst());
            assertThat(claim.at("/status/allocation/devices/results").findValuesAsText("device"))
                    .containsExactly("gpu-0", "gpu-1");
            assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("train");
        }
    }

    private static JsonNode read(ApiClient client, String path) {
        return Json.parse(client.send(ApiRequest.get(path)).text());
    }

    private static List<String> names(ApiClient client, String path) {
        return read(client, path)
                .path("items")
                .valueStream()
                .map(each -> each.at("/metadata/name").asText())
                .toList();
    }

    @Test
    void dumpAppearsAsItIs() throws Exception {
        Path dump =
                Files.writeString(
                        folder.resolve("dump.yaml"),
                        """
                        apiVersion: v1
                        kind: List
                        items:
                        - {apiVersion: v1, kind: Node, metadata: {name: mine, uid: gone},
                           status: {capacity: {cpu: "2", memory: 4Gi, pods: "10"}}}
                        - apiVersion: v1
                          kind: Pod
                          metadata: {name: here, namespace: shop,
                            ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: x, uid: y}]}
                          spec: {nodeName: mine, containers: [{name: c, image: i}]}
                        - apiVersion: v1
                          kind: Pod
                          metadata: {name: waiting, namespace: shop}
                          spec: {containers: [{name: c, image: i}]}
                        """);
        var options = UpOptions.given(dump.toString(), "");
        try (var cluster = start(options)) {
            await().atMost(PATIENCE)
                    .until(() -> cluster.picture().snapshot().counts().running() == 2);
            assertThat(cluster.picture().snapshot().nodes())
                    .extracting(Snapshot.NodeUse::name)
                    .containsExactly("mine");
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
            assertThatThrownBy(() -> start(UpOptions.simple(1, 0, port, 1, false)))
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
        return UpOptions.simple(nodes, pods, 0, 3, demo);
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
