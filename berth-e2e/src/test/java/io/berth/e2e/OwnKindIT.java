package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.e2e.fixture.Manifest;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// The example plugin with a kind of its own, which a real kube-apiserver serves: it is watched,
/// wakes pods and is written to, and the plugin's metric is on the page.
@PackagedScheduler
@RealControlPlane
@EnabledIfEnvironmentVariable(
        named = "BERTH_EXAMPLE_JAR",
        matches = ".+",
        disabledReason = "only .ci/run builds the example plugin")
final class OwnKindIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String RACK = "/apis/example.com/v1/racks/rack-1";
    private static final Path EXAMPLE = Path.of("..", "examples", "rack-power");

    private final ControlPlane plane;
    private final Objects objects;

    OwnKindIT(ControlPlane plane) {
        this.plane = plane;
        this.objects = new Objects(plane.admin(), plane.freshNamespace());
    }

    @Test
    @Tag("E-73")
    void aRackThatGetsMorePowerTakesThePodThatWaitedForIt() throws IOException {
        // The definition takes a moment before there can be a rack.
        await().atMost(LIMIT)
                .until(() ->
                        plane.kubectl()
                                        .run("apply", "-f", EXAMPLE.resolve("rack.yaml").toString())
                                        .status()
                                == 0);
        plane.admin()
                .post(
                        "/api/v1/nodes",
                        Manifest.node(
                                "in-rack-1", "{metadata: {labels: {'example.com/rack': rack-1}}}"))
                .ok();
        plane.admin()
                .post(
                        "/api/v1/namespaces/" + objects.namespace() + "/pods",
                        Manifest.pod(
                                "p",
                                "{cpu: '1'}",
                                "{metadata: {labels: {'example.com/watts': '5000'}}}"))
                .ok();
        try (var scheduler =
                plane.start(
                        SchedulerProgram.berth().orElseThrow(),
                        "--config=" + configuration(),
                        "--plugin-dir=" + pluginFolder())) {
            objects.awaitEvent("p", "FailedScheduling", LIMIT, scheduler);
            assertThat(scheduler.api().get("/metrics").body().asText())
                    .contains("berth_plugin_rack_power_refusals_total{rack=\"rack-1\"}");

            plane.admin().patch(RACK, "{\"spec\":{\"watts\":6000}}").ok();
            objects.awaitPod(
                    "p", LIMIT, scheduler, pod -> pod.text("/spec/nodeName").equals("in-rack-1"));
            await().atMost(LIMIT)
                    .until(() ->
                            plane.admin()
                                    .get(RACK)
                                    .text("/status/lastPod")
                                    .equals(objects.namespace() + "/p"));
        } finally {
            objects.deletePods();
            objects.deleteNode("in-rack-1");
        }
    }

    private Path configuration() throws IOException {
        return Files.writeString(
                plane.folder().resolve("own-kind.yaml"),
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
                    args: {watchRacks: true}
                """
                        .formatted(plane.schedulerKubeconfig()));
    }

    private Path pluginFolder() throws IOException {
        var jar = Path.of(System.getenv("BERTH_EXAMPLE_JAR"));
        var folder = Files.createDirectory(plane.folder().resolve("own-kind-plugins"));
        Files.copy(jar, folder.resolve(jar.getFileName()));
        return folder;
    }
}
