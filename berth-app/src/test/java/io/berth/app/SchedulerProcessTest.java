package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The scheduler as a process of its own, given nothing but flags.
@DisabledOnOs(OS.WINDOWS)
@Timeout(420)
class SchedulerProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NODE =
            """
            {"metadata": {"name": "node-1"}, "status": {
              "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
              "conditions": [{"type": "Ready", "status": "True"}]}}
            """;
    private static final String POD =
            """
            {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
            """;

    @TempDir Path directory;
    private final List<Process> started = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    @Tag("P-5")
    void kubeconfigIsAllItNeedsToPlaceAPod() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            Path kubeconfig = directory.resolve("kube config");
            Files.writeString(kubeconfig, server.kubeconfig());
            try (var client =
                    new ApiClient(
                            KubeConfig.load(kubeconfig).connection(""), ClientOptions.DEFAULT)) {
                client.send(ApiRequest.create("/api/v1/nodes", bytes(NODE)));
                client.send(ApiRequest.create("/api/v1/namespaces/default/pods", bytes(POD)));
                Process scheduler = start("--kubeconfig", kubeconfig.toString());
                await().atMost(PATIENCE)
                        .failFast("the scheduler ended by itself", () -> !scheduler.isAlive())
                        .until(() -> pod(client).contains("\"nodeName\":\"node-1\""));
                scheduler.destroy();
                assertThat(exitCode(scheduler)).isZero();
            }
        }
        assertThat(err())
                .contains("\"Starting Kubernetes Scheduler\" version=\"v1.36.4\"")
                .doesNotContain("\tat ");
    }

    @Test
    @Tag("P-5")
    @Tag("P-235")
    void stopWithoutLeaderElectionCountsAsFailure() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            Path kubeconfig = directory.resolve("kubeconfig");
            Files.writeString(kubeconfig, server.kubeconfig());
            Process scheduler = start("--kubeconfig=" + kubeconfig, "--leader-elect=false", "-v2");
            await().atMost(PATIENCE).until(() -> err().contains("Caches populated"));
            scheduler.destroy();
            assertThat(exitCode(scheduler)).isEqualTo(1);
            assertThat(err())
                    .contains("\"command failed\" err=\"finished without leader elect\"")
                    .doesNotContain("\"Starting reflector\"");
        }
    }

    @Test
    @Tag("P-6")
    void missingKubeconfigIsLoggedInOneLine() throws Exception {
        Process scheduler = start("--kubeconfig=/does/not/exist");
        assertThat(exitCode(scheduler)).isEqualTo(1);
        assertThat(err())
                .contains("\"command failed\" err=", "/does/not/exist: no such file or directory")
                .hasLineCount(1);
    }

    @Test
    @Tag("P-2")
    void linesHeldBackAreWrittenAtTheEnd() throws Exception {
        Process scheduler =
                start(
                        "--feature-gates=LoggingAlphaOptions=true",
                        "--log-text-split-stream",
                        "--log-text-info-buffer-size=1Mi",
                        "--log-flush-frequency=1h",
                        "--kubeconfig=/does/not/exist",
                        "--leader_elect=false",
                        "-v=1");
        assertThat(exitCode(scheduler)).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("out")))
                .contains("FLAG: --leader-elect=\"false\"");
        assertThat(err()).contains("\"command failed\"").doesNotContain("FLAG:");
    }

    /// The JVM stops threads for Flight Recorder with SIGUSR2 too, unless a variable names another
    /// signal, as it does in the launchers.
    @ParameterizedTest
    @CsvSource({"16, 1", ", 0"})
    @Tag("P-310")
    void flightRecorderDoesNotHaveTheBooksDumped(@Nullable String signal, int dumps)
            throws Exception {
        if (signal != null) {
            environment.put("_JAVA_SR_SIGNUM", signal);
        }
        environment.put(
                "JDK_JAVA_OPTIONS",
                "-XX:StartFlightRecording=settings=profile,filename=" + directory.resolve("r.jfr"));
        try (var cluster = new TestCluster(directory)) {
            Process scheduler = start("--kubeconfig=" + cluster.kubeconfig(), "-v=3");
            await().atMost(PATIENCE).until(() -> err().contains("Successfully acquired lease"));
            signal(scheduler, "USR2");
            await().atMost(PATIENCE)
                    .failFast("it ended by itself", () -> !scheduler.isAlive())
                    .until(() -> count("\"Dump of scheduling queue\"") == dumps);
            // The recorder has taken many samples when it has written them.
            scheduler.destroy();
            assertThat(exitCode(scheduler)).isZero();
            assertThat(directory.resolve("r.jfr")).isNotEmptyFile();
            assertThat(count("\"Dump of scheduling queue\"")).isEqualTo(dumps);
        }
    }

    /// Any number of times, whether it leads or not; SIGQUIT is the JVM's own, which goes on.
    @Test
    @Tag("P-260")
    @Tag("P-310")
    @Tag("P-311")
    @Tag("P-312")
    @Tag("P-313")
    void signalHasTheBooksComparedAndDumped() throws Exception {
        try (var cluster = new TestCluster(directory)) {
            cluster.createNode("node-1", 10);
            Process scheduler = start("--kubeconfig=" + cluster.kubeconfig(), "-v=3");
            // Signals are heard by then, unlike when it has merely seen the cluster.
            await().atMost(PATIENCE).until(() -> err().contains("Successfully acquired lease"));
            for (int times = 1; times <= 3; times++) {
                signal(scheduler, "USR2");
                int expected = times;
                await().atMost(PATIENCE)
                        .failFast("it ended by itself", () -> !scheduler.isAlive())
                        .until(() -> count("\"Dump of scheduling queue\"") == expected);
                signal(scheduler, "QUIT");
            }
            assertThat(err())
                    .containsSubsequence(
                            "\"Cache comparer started\"",
                            "\"Cache comparer finished\"",
                            "\"Dump of cached NodeInfo\" nodes=",
                            "Node name: node-1",
                            "\"Dump of scheduling queue\" summary=")
                    .doesNotContain("Cache mismatch");
        }
    }

    @Test
    @Tag("P-145")
    void watchesTellTheirLife() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            Path kubeconfig = directory.resolve("kubeconfig");
            Files.writeString(kubeconfig, server.kubeconfig());
            start("--kubeconfig=" + kubeconfig, "-v=3");
            await().atMost(PATIENCE).until(() -> err().contains("\"Caches populated\""));
        }
        await().atMost(PATIENCE).until(() -> err().contains("\"Failed to watch\""));
        assertThat(err().lines())
                .anyMatch(line -> line.startsWith("I") && line.contains("\"Starting reflector\""))
                .anyMatch(line -> line.contains("\"Listing and watching\" type=\"pods\""))
                .anyMatch(line -> line.startsWith("E") && line.contains("\"Failed to watch\""))
                .noneMatch(line -> line.contains("\"Watch close\""));
    }

    @Test
    @Tag("P-25")
    void featuresAreNotSwitchedByTheEnvironment() throws Exception {
        try (var cluster = new TestCluster(directory);
                var front = new RecordingFront(cluster.uri(), cluster.tls())) {
            environment.put("KUBE_FEATURE_WatchListClient", "false");
            start("--master=" + front.uri());
            await().atMost(PATIENCE)
                    .until(() ->
                            front.requests().stream()
                                    .anyMatch(one -> one.query().contains("sendInitialEvents")));
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    private long count(String text) throws IOException {
        return err().lines().filter(line -> line.contains(text)).count();
    }

    private Process start(String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        // Other processes of this machine may have the usual port.
        command.add("--secure-port=0");
        command.addAll(List.of(arguments));
        var builder =
                new ProcessBuilder(command)
                        .redirectOutput(directory.resolve("out").toFile())
                        .redirectError(directory.resolve("err").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static String pod(ApiClient client) {
        return client.send(ApiRequest.get("/api/v1/namespaces/default/pods/p")).text();
    }

    private String err() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
