package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `berth shadow` beside the real kube-scheduler under load, as a user who may read and do nothing
/// else.
@Thorough
@PackagedScheduler
@RealControlPlane
final class ShadowIT {
    private static final int NODES = 160;
    private static final int PODS = 500;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ControlPlane plane;
    private final Objects objects;
    private final String run;
    private final Path folder;

    ShadowIT(ControlPlane plane) throws IOException {
        this.plane = plane;
        this.run = plane.freshNamespace();
        this.objects = new Objects(plane.admin(), run);
        this.folder = Files.createTempDirectory(plane.folder(), "shadow-");
    }

    @AfterEach
    void clear() throws Exception {
        objects.deletePods();
        inParallel(NODES, i -> objects.deleteNode(run + "-" + i));
    }

    /// All nodes are scored, so a decision that is not in the best set was made on another state
    /// than the one just before its binding: bindings overtake each other. That is counted, and
    /// nothing else is left.
    @Test
    void everyDecisionIsInTheBestSetWhereAllNodesAreScored() throws Exception {
        var report = beside(100);
        assertThat(report.at("/judged").asInt()).as("%s", report).isEqualTo(PODS);
        assertThat(report.at("/results/sampled").asInt()).as("%s", report).isZero();
        assertThat(report.at("/results/worse").asInt()).as("%s", report).isZero();
        assertThat(report.at("/results/refused").asInt()).as("%s", report).isZero();
        assertThat(report.at("/results/best").asInt() + report.at("/results/under_way").asInt())
                .isEqualTo(PODS);
    }

    /// kube-scheduler looks at some of the nodes only, and pays for that with worse ones.
    @Test
    void samplingIsToldFromMistakes() throws Exception {
        var report = beside(0);
        assertThat(report.at("/judged").asInt()).as("%s", report).isEqualTo(PODS);
        assertThat(report.at("/results/sampled").asInt()).as("%s", report).isPositive();
        assertThat(report.at("/results/worse").asInt()).as("%s", report).isZero();
        assertThat(report.at("/results/refused").asInt()).as("%s", report).isZero();
        assertThat(report.at("/regret/most").asInt()).isPositive();
        assertThat(report.at("/worst/0/plugin").asText()).isNotEmpty();
    }

    private JsonNode beside(int percentage) throws Exception {
        var config = configuration(percentage);
        var reportFile = folder.resolve("report.json");
        int port = Ports.freeOne();
        inParallel(NODES, this::createNode);
        try (var scheduler = plane.startScheduler("--config=" + config);
                var shadow =
                        new ChildProcess(
                                        "shadow",
                                        List.of(
                                                SchedulerProgram.berth()
                                                        .orElseThrow()
                                                        .file()
                                                        .toString(),
                                                "shadow",
                                                "--kubeconfig=" + reader(),
                                                "--config=" + config,
                                                "--interval=1s",
                                                "--metrics-address=127.0.0.1:" + port,
                                                "--report=" + reportFile),
                                        folder.resolve("shadow.log"))
                                .start();
                var metrics = HttpApi.plain(URI.create("http://127.0.0.1:" + port))) {
            shadow.awaitLine("following the scheduler of", LIMIT);
            inParallel(PODS, this::createPod);
            scheduler.process().await("done with all pods", LIMIT, () -> unplaced() == 0);
            shadow.await("done judging", LIMIT, () -> judged(metrics) >= PODS);
            assertThat(shadow.stop(Duration.ofSeconds(30))).as(shadow.logTail()).isZero();
            return new ObjectMapper().readTree(reportFile.toFile());
        }
    }

    private Path configuration(int percentage) throws IOException {
        return Files.writeString(
                folder.resolve("config.yaml"),
                """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                percentageOfNodesToScore: %d
                leaderElection: {leaderElect: false}
                clientConnection: {kubeconfig: "%s", qps: 1000, burst: 1000}
                """
                        .formatted(percentage, plane.schedulerKubeconfig()));
    }

    /// The kubeconfig of somebody who may read everything and write nothing.
    private Path reader() {
        var user = "shadow-reader-" + run;
        plane.admin()
                .post(
                        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                        """
                        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
                         "metadata":{"name":"%s"},
                         "rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["list","watch"]}]}
                        """
                                .formatted(user))
                .ok();
        plane.admin()
                .post(
                        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                        """
                        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
                         "metadata":{"name":"%1$s"},
                         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%1$s"},
                         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%1$s"}]}
                        """
                                .formatted(user))
                .ok();
        return plane.userKubeconfig(user);
    }

    private void createNode(int i) {
        var resources =
                "{\"cpu\":\"%d\",\"memory\":\"%dGi\",\"pods\":\"110\"}"
                        .formatted(4 + i % 5 * 2, 8 + i % 3 * 8);
        plane.admin()
                .post(
                        "/api/v1/nodes",
                        """
                        {"apiVersion":"v1","kind":"Node",
                         "metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",
                           "topology.kubernetes.io/zone":"zone-%3$d"}},
                         "status":{"capacity":%2$s,"allocatable":%2$s,
                                   "conditions":[{"type":"Ready","status":"True"}]}}
                        """
                                .formatted(run + "-" + i, resources, i % 3))
                .ok();
    }

    private void createPod(int i) {
        plane.admin()
                .post(
                        "/api/v1/namespaces/" + run + "/pods",
                        """
                        {"apiVersion":"v1","kind":"Pod",
                         "metadata":{"name":"pod-%1$d","labels":{"app":"app-%3$d"}},
                         "spec":{%4$s"containers":[{"name":"main","image":"example/main:1",
                                 "resources":{"requests":{"cpu":"%2$dm","memory":"%5$dMi"}}}]}}
                        """
                                .formatted(
                                        i,
                                        100 + i % 7 * 100,
                                        i % 4,
                                        i % 4 == 0 ? spread() : "",
                                        128 + i % 3 * 256))
                .ok();
    }

    private static String spread() {
        return """
        "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",
          "whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"app-0"}}}],\
        """;
    }

    private int unplaced() {
        int unplaced = 0;
        for (var pod : plane.admin().get("/api/v1/namespaces/" + run + "/pods").ok().at("/items")) {
            unplaced += pod.at("/spec/nodeName").asText("").isEmpty() ? 1 : 0;
        }
        return unplaced;
    }

    private static long judged(HttpApi metrics) {
        return metrics.get("/metrics")
                .body()
                .asText()
                .lines()
                .filter(line -> line.startsWith("berth_shadow_decisions_total{"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static void inParallel(int count, IntConsumer body) throws Exception {
        try (var clients = Executors.newFixedThreadPool(8)) {
            var done = new ArrayList<Future<?>>();
            for (int i = 0; i < count; i++) {
                int index = i;
                done.add(clients.submit(() -> body.accept(index)));
            }
            for (var one : done) {
                one.get();
            }
        }
    }
}
