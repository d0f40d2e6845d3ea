package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The control plane that the other suites stand on works itself.
@Thorough
@RealControlPlane
final class ControlPlaneIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ControlPlane plane;

    ControlPlaneIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void isTheVersionThatBerthFollows() {
        assertThat(plane.admin().get("/version").text("/gitVersion")).startsWith("v1.36.");
    }

    @Test
    void schedulerHasTheRightsOfASchedulerAndNoMore() {
        try (HttpApi scheduler = plane.as("system:kube-scheduler")) {
            assertThat(scheduler.get("/api/v1/nodes").status()).isEqualTo(200);
            assertThat(scheduler.get("/api/v1/secrets").status()).isEqualTo(403);
        }
    }

    @Test
    void strangersAreTurnedAway() {
        try (HttpApi stranger = plane.as("somebody")) {
            var answer = stranger.get("/api/v1/nodes");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text("/message")).contains("User \"somebody\" cannot list resource");
        }
    }

    @Test
    void kubectlOfTheSameVersionCreatesAndReads() {
        String namespace = plane.freshNamespace();
        plane.kubectl()
                .run("create", "configmap", "greeting", "--from-literal=a=b", "-n", namespace)
                .ok();

        assertThat(plane.kubectl().run("get", "configmap", "-n", namespace, "-o", "name").ok())
                .contains("configmap/greeting");
    }

    @Test
    void compactionMakesOldVersionsGoneOnceTheServersCacheIsEmpty() {
        String pods = "/api/v1/namespaces/" + plane.freshNamespace() + "/pods";
        String old = plane.admin().get(pods).text("/metadata/resourceVersion");
        plane.freshNamespace();
        plane.compactEtcd();
        plane.apiServer().kill();
        plane.apiServer().start();
        plane.awaitReady();

        var answer =
                plane.admin().get(pods + "?resourceVersion=" + old + "&resourceVersionMatch=Exact");

        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.text("/reason")).isEqualTo("Expired");
    }

    @Test
    void dataSurvivesAKillOfBothProcesses() {
        String namespace = plane.freshNamespace();
        plane.apiServer().kill();
        plane.etcd().kill();
        assertThat(plane.admin().answers("/readyz")).isFalse();

        plane.etcd().start();
        plane.apiServer().start();
        plane.awaitReady();

        assertThat(plane.admin().get("/api/v1/namespaces/" + namespace).status()).isEqualTo(200);
    }

    @Test
    void pausedServerAnswersOnlyAfterItGoesOn() {
        plane.apiServer().pause();
        try {
            HttpApi impatient = plane.admin().withLimit(Duration.ofMillis(500));
            assertThat(impatient.answers("/readyz")).isFalse();
            assertThat(plane.apiServer().running()).isTrue();
        } finally {
            plane.apiServer().resume();
        }
        plane.awaitReady();
    }

    @Test
    void realSchedulerPlacesAPod() {
        String namespace = plane.freshNamespace();
        var objects = new Objects(plane.admin(), namespace);
        try (SchedulerProcess scheduler = plane.startScheduler("--leader-elect=false")) {
            objects.createNode("judge-node", "4");
            objects.createPod("judged", "1");

            objects.awaitPod(
                    "judged", LIMIT, scheduler, pod -> !pod.text("/spec/nodeName").isEmpty());
            assertThat(objects.pod("judged").text("/spec/nodeName")).isEqualTo("judge-node");
        } finally {
            objects.deletePods();
            objects.deleteNode("judge-node");
        }
    }

    @Test
    void closingLeavesNeitherProcessesNorFiles() {
        var found = (Binaries.Found) Binaries.find();
        ControlPlane second = ControlPlane.start(found);
        second.apiServer().pause();

        second.close();

        assertThat(second.etcd().running()).isFalse();
        assertThat(second.apiServer().running()).isFalse();
        assertThat(Files.exists(second.folder())).isFalse();
    }

    @Test
    void serverThatCannotStartFailsWithItsLog() {
        var found = (Binaries.Found) Binaries.find();

        assertThatIllegalStateException()
                .isThrownBy(() -> ControlPlane.start(found, "--no-such-flag"))
                .withMessageContaining("kube-apiserver ended with status 1 before ready")
                .withMessageContaining("unknown flag: --no-such-flag");
    }
}
