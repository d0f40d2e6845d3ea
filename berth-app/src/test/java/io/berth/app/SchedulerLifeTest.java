package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.berth.app.input.Invocation;
import io.berth.testkit.HeldPort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The scheduler from its command line to its end, beside an API server in the same process.
@Timeout(300)
class SchedulerLifeTest {
    private static final String EVERYBODY = "--authorization-always-allow-paths=/*";

    @TempDir Path directory;
    private TestCluster cluster;

    @BeforeEach
    void begin() throws Exception {
        cluster = new TestCluster(directory);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    @Test
    @Tag("P-4")
    @Tag("P-31")
    void beginsInTheOrderOfKubeSchedulerWhereThePortMayBeRefused() throws Exception {
        cluster.createNode("node-1", 10);
        cluster.createPod("p");
        try (var scheduler =
                RunningScheduler.start(
                        cluster.kubeconfig(),
                        "--authentication-tolerate-lookup-failure=false",
                        "-v=3")) {
            cluster.awaitBound("p");
            scheduler.awaitLine("\"Successfully bound pod to node\"");
            assertThat(String.join("\n", scheduler.log()))
                    .containsSubsequence(
                            "\"Starting Kubernetes Scheduler\" version=\"v1.36.4\"",
                            "\"Java settings\" berth=",
                            "Serving securely on ",
                            "Attempting to acquire leader lease...",
                            "Successfully acquired lease",
                            // A pod by namespace and name, a node by its name alone.
                            "\"Successfully bound pod to node\" pod=\"default/p\" node=\"node-1\"");
            // It looks around while the port is made ready.
            assertThat(String.join("\n", scheduler.log()))
                    .containsSubsequence(
                            "\"Starting Kubernetes Scheduler\"",
                            "\"Handlers synced\"",
                            "Attempting to acquire leader lease...");
            assertThat(scheduler.stop()).isZero();
        }
    }

    @Test
    @Tag("P-4")
    void whoTakesOverPlacesFirstAndServesThen() throws Exception {
        cluster.createNode("node-1", 10);
        cluster.createPod("p");
        try (var scheduler = RunningScheduler.start(cluster.kubeconfig(), "-v=3");
                var pages = scheduler.pages()) {
            scheduler.awaitLine("\"Starting Kubernetes Scheduler\"");
            // The port is bound already; who calls before it is served waits.
            assertThat(pages.get("/healthz").statusCode()).isEqualTo(200);
            cluster.awaitBound("p");
            // It is written a moment after the first answers.
            scheduler.awaitLine("Serving securely on ");
            var waited =
                    Duration.between(
                            timeOf(scheduler, "\"Starting Kubernetes Scheduler\""),
                            timeOf(scheduler, "Serving securely on "));
            assumeThat(waited)
                    .as("on a slow machine the port does not wait for the rest")
                    .isBetween(Duration.ZERO, SchedulerCommand.LATEST_PORT);
            assertThat(String.join("\n", scheduler.log()))
                    .containsSubsequence("\"Handlers synced\"", "Serving securely on ");
        }
    }

    private static LocalTime timeOf(RunningScheduler scheduler, String text) {
        String line = scheduler.log().get(scheduler.lineOf(text));
        return LocalTime.parse(line.substring("I1231 ".length(), "I1231 23:59:59.999999".length()));
    }

    @Test
    @Tag("P-4")
    void servesSoonWhileNobodyAnswersIt() throws Exception {
        try (var nobody = new HeldPort();
                var scheduler =
                        RunningScheduler.start(
                                cluster.kubeconfig(
                                        URI.create("https://127.0.0.1:" + nobody.number())),
                                "-v=3");
                var pages = scheduler.pages()) {
            scheduler.awaitLine("Serving securely on ");
            assertThat(pages.get("/livez").statusCode()).isEqualTo(200);
            assertThat(pages.get("/readyz").body())
                    .contains("[-]sched-handler-sync failed: reason withheld");
            assertThat(scheduler.lineOf("Attempting to acquire leader lease...")).isEqualTo(-1);
        }
    }

    @Test
    @Tag("P-83")
    @Tag("P-88")
    void pluginsThatAProfileConfiguresAnewAreTold() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("config.yaml"),
                        """
                        apiVersion: kubescheduler.config.k8s.io/v1
                        kind: KubeSchedulerConfiguration
                        clientConnection: {kubeconfig: "%s"}
                        profiles:
                        - plugins:
                            multiPoint: {enabled: [{name: NodeAffinity, weight: 5}]}
                            score: {enabled: [{name: ImageLocality, weight: 7}]}
                            bind: {enabled: [{name: DefaultBinder}], disabled: [{name: "*"}]}
                        """
                                .formatted(cluster.kubeconfig()));
        try (var scheduler =
                RunningScheduler.start(Path.of("ignored"), "--config=" + file, "-v=4")) {
            scheduler.awaitLine("\"Handlers synced\"");
            assertThat(String.join("\n", scheduler.log()))
                    .containsSubsequence(
                            "\"Default plugin is explicitly re-configured; overriding\""
                                    + " plugin=\"NodeAffinity\"",
                            "\"MultiPoint plugin is explicitly re-configured; overriding\""
                                    + " plugin=\"ImageLocality\"",
                            "\"Skipped MultiPoint expansion because all plugins are disabled for"
                                    + " extension point\" extension=\"BindPlugin\"");
        }
    }

    @Test
    @Tag("P-254")
    void isStoppedWhileItWaitsForPods() throws Exception {
        var scheduler = RunningScheduler.start(cluster.kubeconfig(), "--leader-elect=false", "-v3");
        scheduler.awaitLine("\"Handlers synced\"");
        assertThat(scheduler.stop()).isEqualTo(1);
        assertThat(scheduler.log().getLast()).contains("finished without leader elect");
    }

    @Test
    @Tag("P-16")
    void pagesAboutTheProcessAreSwitchedByGates() throws Exception {
        try (var scheduler =
                        RunningScheduler.start(
                                cluster.kubeconfig(),
                                EVERYBODY,
                                "--feature-gates=ComponentFlagz=false");
                var pages = scheduler.pages()) {
            scheduler.awaitLine("Serving securely on");
            assertThat(pages.get("/flagz").statusCode()).isEqualTo(404);
            assertThat(pages.get("/statusz").statusCode()).isEqualTo(200);
        }
        assertThat(SchedulerFlags.SET.usage()).doesNotContain("flagz", "statusz");
    }

    @Test
    @Tag("P-25")
    @Tag("P-140")
    void gateOfTheClientSwitchesStreamedListsOff() throws Exception {
        try (var front = new RecordingFront(cluster.uri(), cluster.tls());
                var scheduler =
                        RunningScheduler.start(
                                cluster.kubeconfig(front.uri()),
                                "--feature-gates=WatchListClient=false",
                                "-v=3")) {
            scheduler.awaitLine("\"Handlers synced\"");
            assertThat(front.requests())
                    .anyMatch(request -> request.verb().equals("watch"))
                    .noneMatch(request -> request.query().contains("sendInitialEvents"));
            assertThat(scheduler.lineOf("Feature gate has no effect in Berth")).isEqualTo(-1);
        }
    }

    @Test
    @Tag("P-43")
    void unusableFolderForTheKeyPairEndsIt() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        try (var port = new HeldPort()) {
            var outcome =
                    Invocation.of(
                            "--kubeconfig=" + cluster.kubeconfig(),
                            "--secure-port=" + port.number(),
                            "--cert-dir=" + file);
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.lastWords())
                    .contains("\"command failed\" err=\"error creating self-signed certificates: ");
        }
    }

    @Test
    @Tag("P-43")
    void callersAreNotJudgedWhereNobodyCanCall() throws Exception {
        try (var scheduler =
                RunningScheduler.start(cluster.kubeconfig(), "--secure-port=0", "-v=3")) {
            scheduler.awaitLine("\"Handlers synced\"");
            assertThat(String.join("\n", scheduler.log()))
                    .doesNotContain("No authentication-kubeconfig", "No authorization-kubeconfig");
        }
    }

    @Test
    @Tag("P-43")
    @Tag("P-45")
    void kubeconfigIsReadBeforeThePortIsTaken() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = "--secure-port=" + taken.getLocalPort();
            var broken =
                    Invocation.of("--kubeconfig=/does/not/exist", "--bind-address=127.0.0.1", port);
            assertThat(broken.lastWords()).contains("/does/not/exist: no such file or directory");
            var busy =
                    Invocation.of(
                            "--kubeconfig=" + cluster.kubeconfig(),
                            "--bind-address=127.0.0.1",
                            port);
            assertThat(busy.lastWords()).contains("failed to create listener: failed to listen on");
        }
    }

    /// Its watches tell at once; its lease lasts longer than the server is away.
    @Test
    void readinessTellsThatTheApiServerIsAway() throws Exception {
        cluster.createNode("node-1", 10);
        try (var way = new Way(cluster.port());
                var scheduler =
                        RunningScheduler.start(
                                cluster.kubeconfig(way.uri()),
                                EVERYBODY,
                                "--leader-elect-lease-duration=5m",
                                "--leader-elect-renew-deadline=4m",
                                "-v=3");
                var pages = scheduler.pages()) {
            scheduler.awaitLine("\"Handlers synced\"");
            assertThat(pages.get("/readyz?verbose").body())
                    .isEqualTo(
                            """
                            [+]leaderElection ok
                            [+]shutdown ok
                            [+]sched-handler-sync ok
                            [+]api-server ok
                            readyz check passed
                            """);
            way.cut();
            await().atMost(RunningScheduler.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(pages.get("/readyz/api-server").body())
                                    .contains(
                                            "18 of 18 watches are broken: [csidrivers csinodes "));
            assertThat(pages.get("/readyz").statusCode()).isEqualTo(500);
            assertThat(pages.get("/readyz").body())
                    .contains("[-]api-server failed: reason withheld");
            assertThat(pages.get("/livez").statusCode()).isEqualTo(200);
            assertThat(pages.get("/healthz").statusCode()).isEqualTo(200);

            cluster.createPod("meanwhile");
            way.restore();
            cluster.awaitBound("meanwhile");
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() -> pages.get("/readyz").statusCode() == 200);
        }
    }
}
