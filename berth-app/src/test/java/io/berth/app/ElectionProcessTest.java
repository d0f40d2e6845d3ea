package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.lease.HttpLeaseLock;
import io.berth.kube.lease.LeaseRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Two processes that compete, and what signals do to them.
@DisabledOnOs(OS.WINDOWS)
@Timeout(600)
class ElectionProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// Outlasts a test, whatever else the machine does.
    private static final Lease LASTING = new Lease("10m", "9m");

    /// Soon over, and still longer than it takes to start a second process on a busy machine.
    private static final Lease LONG = new Lease("10s", "6s");

    private static final Lease SHORT = new Lease("4s", "3s");

    private record Lease(String duration, String renewDeadline) {}

    @TempDir Path directory;
    private final List<Scheduler> started = new ArrayList<>();
    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
    private final ApiClient client = connect();

    @BeforeEach
    void createNode() {
        create(
                "/api/v1/nodes",
                """
                {"metadata": {"name": "node-1"}, "status": {
                  "allocatable": {"cpu": "400", "memory": "80Gi", "pods": "1000"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """);
    }

    @AfterEach
    void endAll() {
        started.forEach(scheduler -> scheduler.process.destroyForcibly());
        client.close();
        server.close();
    }

    @Test
    @Tag("P-138")
    @Tag("P-232")
    @Tag("P-234")
    @Tag("P-250")
    @Tag("P-251")
    @Tag("P-252")
    void aLeaderThatIsAskedToStopHandsOver() throws Exception {
        var first = start("first", server.uri(), LASTING);
        awaitHolderOtherThan("");
        String holder = lease().holder();
        var second = start("second", server.uri(), LASTING);
        second.awaitLine("Handlers synced");

        first.signal("TERM");
        awaitHolderOtherThan(holder, "");
        assertThat(first.exitCode()).isZero();
        assertThat(first.log()).contains("\"Requested to terminate, exiting\"");

        create("/api/v1/namespaces/default/pods", pod("after"));
        awaitBound("after");
        // A standby's last word is the same, though it never led.
        var third = start("third", server.uri(), LASTING);
        third.awaitLine("Attempting to acquire leader lease...");
        third.signal("INT");
        assertThat(third.exitCode()).isZero();
        assertThat(third.log())
                .contains("\"Requested to terminate, exiting\"")
                .doesNotContain(lease().holder());
    }

    @Test
    @Thorough
    @Tag("P-224")
    void aLeaderThatIsKilledIsReplacedAndNoPodIsLost() throws Exception {
        var first = start("first");
        awaitHolderOtherThan("");
        String holder = lease().holder();
        start("second").awaitLine("Handlers synced");
        for (int i = 0; i < 60; i++) {
            create("/api/v1/namespaces/default/pods", pod("p-" + i));
            if (i == 30) {
                first.signal("KILL");
            }
        }
        awaitHolderOtherThan(holder, "");
        for (int i = 0; i < 60; i++) {
            awaitBound("p-" + i);
        }
    }

    /// Stopped for longer than its lease, then woken up: it finds another leader.
    @Test
    @Tag("P-225")
    @Tag("P-232")
    void aLeaderThatSleptThroughItsLeaseEndsWithoutAWord() throws Exception {
        var first = start("first");
        awaitHolderOtherThan("");
        String holder = lease().holder();
        start("second").awaitLine("Handlers synced");
        first.signal("STOP");
        create("/api/v1/namespaces/default/pods", pod("p"));
        awaitHolderOtherThan(holder, "");
        awaitBound("p");
        String next = lease().holder();

        first.signal("CONT");
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.log()).contains("\"Leaderelection lost\"");
        assertThat(lease().holder()).as("it leaves the new leader's lease alone").isEqualTo(next);
    }

    /// Nobody takes its lease meanwhile.
    @Test
    @Tag("P-225")
    @Tag("P-232")
    void aLeaderWhoseServerIsAwayForLongerThanItsLeaseGoesOnByItself() throws Exception {
        try (var way = new Way(server.port())) {
            var only = start("only", way.uri(), SHORT);
            create("/api/v1/namespaces/default/pods", pod("before"));
            awaitBound("before");
            String holder = lease().holder();
            way.cut();
            create("/api/v1/namespaces/default/pods", pod("meanwhile"));
            only.awaitLine("No other leader was seen, competing for the lease again");
            way.restore();
            awaitBound("meanwhile");
            assertThat(only.process.isAlive()).isTrue();
            assertThat(lease().holder()).isEqualTo(holder);
            only.signal("TERM");
            assertThat(only.exitCode()).isZero();
            assertThat(lease().holder()).isEmpty();
        }
    }

    /// It is away for one of two; the other takes over, and the first stands by from then on.
    @Test
    @Thorough
    @Tag("P-225")
    @Tag("P-232")
    void aLeaderThatIsCutOffStandsByWhenAnotherHasTakenOver() throws Exception {
        try (var way = new Way(server.port())) {
            var first = start("first", way.uri(), LONG);
            awaitHolderOtherThan("");
            String holder = lease().holder();
            var second = start("second", server.uri(), LONG);
            second.awaitLine("Handlers synced");
            way.cut();
            awaitHolderOtherThan(holder, "");
            String next = lease().holder();
            create("/api/v1/namespaces/default/pods", pod("meanwhile"));
            awaitBound("meanwhile");
            first.awaitLine("No other leader was seen, competing for the lease again");
            way.restore();
            await().atMost(PATIENCE)
                    .until(() -> first.log().split("Handlers synced", -1).length >= 3);
            assertThat(lease().holder()).isEqualTo(next);

            second.signal("TERM");
            awaitHolderOtherThan(next, "");
            create("/api/v1/namespaces/default/pods", pod("afterwards"));
            awaitBound("afterwards");
            assertThat(lease().holder()).isEqualTo(holder);
        }
    }

    /// Nobody answers any more, so an orderly stop, with the lease given back, takes minutes.
    @Test
    @Tag("P-250")
    void aSecondSignalEndsItAtOnce() throws Exception {
        try (var way = new Way(server.port())) {
            var scheduler = start("only", way.uri(), LASTING);
            awaitHolderOtherThan("");
            way.stall();
            scheduler.signal("TERM");
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(PATIENCE)
                    .until(() -> {
                        scheduler.signal("TERM");
                        return !scheduler.process.isAlive();
                    });
            assertThat(scheduler.exitCode()).isEqualTo(1);
        }
    }

    /// A scheduler that runs.
    private record Scheduler(Process process, Path err) {
        void signal(String name) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }

        int exitCode() throws InterruptedException {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        }

        String log() throws IOException {
            return Files.readString(err);
        }

        void awaitLine(String text) {
            await().atMost(PATIENCE)
                    .failFast("it ended by itself", () -> !process.isAlive())
                    .until(() -> log().contains(text));
        }
    }

    private Scheduler start(String name) throws IOException {
        return start(name, server.uri(), SHORT);
    }

    private Scheduler start(String name, URI address, Lease lease) throws IOException {
        Path kubeconfig = directory.resolve(name + ".kubeconfig");
        Files.writeString(
                kubeconfig, server.kubeconfig().replaceAll("server: \\S+", "server: " + address));
        Path err = directory.resolve(name);
        var command =
                List.of(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--kubeconfig=" + kubeconfig,
                        "--secure-port=0",
                        "--leader-elect-lease-duration=" + lease.duration,
                        "--leader-elect-renew-deadline=" + lease.renewDeadline,
                        "--leader-elect-retry-period=500ms",
                        "-v=3");
        var process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(err.toFile())
                        .start();
        var scheduler = new Scheduler(process, err);
        started.add(scheduler);
        return scheduler;
    }

    private ApiClient connect() {
        try {
            Path file = Files.createTempFile("kube", "config");
            Files.writeString(file, server.kubeconfig());
            var connection = KubeConfig.load(file).connection("");
            Files.delete(file);
            return new ApiClient(connection, ClientOptions.DEFAULT.withRate(-1, 0));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private LeaseRecord lease() {
        return new HttpLeaseLock(client, "kube-system", "kube-scheduler")
                .read(PATIENCE)
                .orElseGet(() -> new LeaseRecord("", 0, null, null, 0, "", ""));
    }

    private void awaitHolderOtherThan(String... others) {
        await().atMost(PATIENCE).until(() -> !List.of(others).contains(lease().holder()));
    }

    private static String pod(String name) {
        return "{\"metadata\": {\"name\": \""
                + name
                + "\"}, \"spec\": {\"containers\": [{\"name\": \"c\", \"image\": \"i\"}]}}";
    }

    private void create(String path, String body) {
        client.send(ApiRequest.create(path, body.getBytes(StandardCharsets.UTF_8)));
    }

    private void awaitBound(String pod) {
        await().atMost(PATIENCE)
                .until(() ->
                        client.send(ApiRequest.get("/api/v1/namespaces/default/pods/" + pod))
                                .text()
                                .contains("\"nodeName\":\"node-1\""));
    }
}
