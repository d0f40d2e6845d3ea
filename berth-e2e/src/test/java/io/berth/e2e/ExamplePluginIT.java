package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.EmbeddedCluster;
import io.berth.e2e.fixture.EmbeddedServer;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// The example plugin, which `.ci/example` builds as a stranger would, in the packaged Berth.
@PackagedScheduler
@EmbeddedServer
@EnabledIfEnvironmentVariable(
        named = "BERTH_EXAMPLE_JAR",
        matches = ".+",
        disabledReason = "only .ci/run builds the example plugin")
final class ExamplePluginIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final EmbeddedCluster cluster;
    private final Objects objects;

    ExamplePluginIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
        this.objects = new Objects(cluster.admin(), cluster.freshNamespace());
    }

    @Test
    void thePluginRefusesInItsOwnWordsAndLetsThePodInWhenAnotherOneGoes() throws IOException {
        createNode();
        createPod("first");
        try (var scheduler =
                cluster.start(
                        SchedulerProgram.berth().orElseThrow(),
                        "--config=" + configuration(),
                        "--plugin-dir=" + pluginFolder())) {
            objects.awaitPod("first", LIMIT, scheduler, ExamplePluginIT::isPlaced);
            createPod("second");
            objects.awaitEvent("second", "FailedScheduling", LIMIT, scheduler);
            assertThat(objects.events("second", "FailedScheduling").getFirst().at("/note").asText())
                    .startsWith(
                            "0/1 nodes are available: 1 node(s) had too little power left in their"
                                    + " rack.");

            objects.deletePod("first");
            objects.awaitPod("second", LIMIT, scheduler, ExamplePluginIT::isPlaced);
        } finally {
            objects.deletePods();
            objects.deleteNode("in-rack-1");
        }
    }

    private static boolean isPlaced(HttpApi.Response pod) {
        return pod.text("/spec/nodeName").equals("in-rack-1");
    }

    private Path pluginFolder() throws IOException {
        var jar = Path.of(System.getenv("BERTH_EXAMPLE_JAR"));
        var folder = Files.createDirectory(cluster.folder().resolve("example-plugins"));
        Files.copy(jar, folder.resolve(jar.getFileName()));
        return folder;
    }

    private Path configuration() throws IOException {
        return Files.writeString(
                cluster.folder().resolve("example.yaml"),
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
                    args:
                      budgets: {rack-1: 500}
                """
                        .formatted(cluster.schedulerKubeconfig()));
    }

    private void createNode() {
        cluster.admin()
                .post(
                        "/api/v1/nodes",
                        """
                        {"apiVersion":"v1","kind":"Node",
                         "metadata":{"name":"in-rack-1","labels":{"example.com/rack":"rack-1"}},
                         "status":{"allocatable":{"cpu":"8","memory":"8Gi","pods":"110"},
                                   "conditions":[{"type":"Ready","status":"True"}]}}
                        """)
                .ok();
    }

    private void createPod(String name) {
        cluster.admin()
                .post(
                        "/api/v1/namespaces/" + objects.namespace() + "/pods",
                        """
                        {"apiVersion":"v1","kind":"Pod",
                         "metadata":{"name":"%s","labels":{"example.com/watts":"400"}},
                         "spec":{"containers":[{"name":"main","image":"example/main:1"}]}}
                        """
                                .formatted(name))
                .ok();
    }
}
