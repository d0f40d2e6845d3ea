package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.json.Yaml;
import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.Objects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The example plugin, which `.ci/example` builds as a stranger would, in the packaged Berth, on
/// whatever cluster.
abstract class ExamplePluginFacts {
    static final String JAR = "BERTH_EXAMPLE_JAR";

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MANIFEST_LIMIT = 1 << 16;
    private static final Path RACKS = Path.of("..", "examples", "rack-power", "rack.yaml");
    private static final String RACK = "/apis/example.com/v1/racks/rack-1";
    private static final Map<String, String> COLLECTIONS =
            Map.of(
                    "CustomResourceDefinition",
                            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                    "ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                    "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                    "Rack", "/apis/example.com/v1/racks");

    private final Cluster cluster;
    private final Objects objects;

    ExamplePluginFacts(Cluster cluster) {
        this.cluster = cluster;
        this.objects = new Objects(cluster.admin(), cluster.freshNamespace());
    }

    @BeforeEach
    void createNode() {
        cluster.admin()
                .post(
                        "/api/v1/nodes",
                        Manifest.node(
                                "in-rack-1",
                                "{metadata: {labels: {'example.com/rack': 'rack-1'}}}"))
                .ok();
    }

    @AfterEach
    void clear() {
        objects.deletePods();
        objects.deleteNode("in-rack-1");
    }

    @Test
    void thePluginRefusesInItsOwnWordsAndLetsThePodInWhenAnotherOneGoes() throws IOException {
        createPod("first", 400);
        try (var scheduler = start("{budgets: {rack-1: 500}}")) {
            objects.awaitPod("first", LIMIT, scheduler, ExamplePluginFacts::isPlaced);
            createPod("second", 400);
            objects.awaitEvent("second", "FailedScheduling", LIMIT, scheduler);
            assertThat(objects.events("second", "FailedScheduling").getFirst().at("/note").asText())
                    .startsWith(
                            "0/1 nodes are available: 1 node(s) had too little power left in their"
                                    + " rack.");

            objects.deletePod("first");
            objects.awaitPod("second", LIMIT, scheduler, ExamplePluginFacts::isPlaced);
        }
    }

    /// The kind of its own is watched, wakes pods and is written to, and the plugin's metric is on
    /// the page.
    @Test
    @Tag("E-73")
    void aRackThatGetsMorePowerTakesThePodThatWaitedForIt() throws IOException {
        createRacks();
        createPod("p", 5000);
        try (var scheduler = start("{watchRacks: true}")) {
            objects.awaitEvent("p", "FailedScheduling", LIMIT, scheduler);
            assertThat(scheduler.api().get("/metrics").body().asText())
                    .contains("berth_plugin_rack_power_refusals_total{rack=\"rack-1\"}");

            cluster.admin().patch(RACK, "{\"spec\":{\"watts\":6000}}").ok();
            objects.awaitPod("p", LIMIT, scheduler, ExamplePluginFacts::isPlaced);
            await().atMost(LIMIT)
                    .until(() ->
                            cluster.admin()
                                    .get(RACK)
                                    .text("/status/lastPod")
                                    .equals(objects.namespace() + "/p"));
        }
    }

    private static boolean isPlaced(HttpApi.Response pod) {
        return pod.text("/spec/nodeName").equals("in-rack-1");
    }

    private void createRacks() throws IOException {
        for (String document : Files.readString(RACKS).split("(?m)^---$", -1)) {
            var object = Yaml.parse(document, MANIFEST_LIMIT);
            String collection = COLLECTIONS.getOrDefault(object.path("kind").asText(), "");
            // A real server takes a moment from the definition to the kind.
            await().atMost(LIMIT)
                    .until(() ->
                            cluster.admin().post(collection, object.toString()).status() == 201);
        }
    }

    private void createPod(String name, int watts) {
        cluster.admin()
                .post(
                        "/api/v1/namespaces/" + objects.namespace() + "/pods",
                        Manifest.pod(
                                name,
                                "{cpu: '1'}",
                                "{metadata: {labels: {'example.com/watts': '%d'}}}"
                                        .formatted(watts)))
                .ok();
    }

    private SchedulerProcess start(String arguments) throws IOException {
        Path folder = Files.createTempDirectory(cluster.folder(), "example-");
        Path jar = Path.of(System.getenv(JAR));
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        Files.copy(jar, plugins.resolve(jar.getFileName()));
        Path configuration =
                Files.writeString(
                        folder.resolve("configuration.yaml"),
                        """
                        apiVersion: kubescheduler.config.k8s.io/v1
                        kind: KubeSchedulerConfiguration
                        clientConnection: {kubeconfig: %s}
                        leaderElection: {leaderElect: false}
                        profiles:
                        - schedulerName: default-scheduler
                          plugins:
                            multiPoint:
                              enabled: [{name: RackPower, weight: 100}]
                          pluginConfig:
                          - name: RackPower
                            args: %s
                        """
                                .formatted(cluster.schedulerKubeconfig(), arguments));
        return cluster.start(
                SchedulerProgram.berth().orElseThrow(),
                "--config=" + configuration,
                "--plugin-dir=" + plugins,
                "--authorization-always-allow-paths=/healthz,/livez,/readyz,/metrics");
    }
}
