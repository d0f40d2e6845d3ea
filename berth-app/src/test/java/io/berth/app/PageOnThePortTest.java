package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.serving.http.TestClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The page on the port of a scheduler: who may see it, and what it costs the scheduler.
@Timeout(300)
class PageOnThePortTest {
    private static final int CROWD = 1_000;
    private static final int CONNECTIONS = 10;
    private static final List<String> PATHS =
            List.of(
                    "/ui/",
                    "/ui/app.js",
                    "/berth/v1/map",
                    "/berth/v1/map/node?slot=0",
                    "/berth/v1/pending");

    @TempDir Path directory;
    private TestCluster cluster;

    @BeforeEach
    void begin() throws Exception {
        cluster = new TestCluster(directory);
        cluster.createNode("node-1", 2_000);
        cluster.createPod("first");
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private RunningScheduler start(String... more) throws IOException {
        var flags =
                new ArrayList<>(
                        List.of(
                                "--authentication-kubeconfig=" + cluster.kubeconfig(),
                                "--authorization-kubeconfig=" + cluster.kubeconfig(),
                                "--leader-elect=false"));
        flags.addAll(List.of(more));
        return RunningScheduler.start(cluster.kubeconfig(), flags.toArray(String[]::new));
    }

    @Test
    void thePageIsForThoseWhoMayGetItsPaths() throws Exception {
        try (var scheduler = start();
                var pages = scheduler.pages()) {
            cluster.awaitBound("first");
            scheduler.awaitLine("Serving securely on ");
            var known = new String[] {"Authorization", "Bearer " + cluster.token()};
            for (var path : PATHS) {
                assertThat(pages.get(path).statusCode()).as(path).isEqualTo(403);
                assertThat(pages.get(path, "Authorization", "Bearer wrong").statusCode())
                        .as(path)
                        .isEqualTo(401);
                assertThat(pages.get(path, known).statusCode()).as(path).isEqualTo(200);
                // Nothing is written from the page.
                assertThat(pages.send("DELETE", path, "", known).statusCode())
                        .as(path)
                        .isEqualTo(405);
            }
            assertThat(pages.get("/berth/v1/stream").statusCode()).isEqualTo(403);
            var thought = "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a}]}";
            assertThat(pages.send("POST", "/berth/v1/play", thought).statusCode()).isEqualTo(403);
            assertThat(pages.send("POST", "/berth/v1/play", thought, known).body())
                    .contains("\"node\":\"node-1\"");
        }
    }

    @Test
    void whoWantsNoPageHasNone() throws Exception {
        try (var scheduler = start("--ui=false");
                var pages = scheduler.pages()) {
            scheduler.awaitLine("Serving securely on ");
            var known = new String[] {"Authorization", "Bearer " + cluster.token()};
            for (var path :
                    List.of("/ui", "/ui/", "/ui/app.js", "/berth/v1/map", "/berth/v1/stream")) {
                assertThat(pages.get(path, known).statusCode()).as(path).isEqualTo(404);
            }
            assertThat(pages.get("/berth/v1/pending", known).statusCode()).isEqualTo(200);
        }
    }

    private static long streams() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("port-stream-"))
                .count();
    }

    /// A crowd that begins to read what happens and goes no further. Few of them are served, the
    /// others are told to come again, and pods get their places meanwhile.
    @Test
    void thousandHalfReadStreamsHurtNobody() throws Exception {
        var clients = new ArrayList<HttpClient>();
        try (var scheduler = start();
                var pages = scheduler.pages()) {
            cluster.awaitBound("first");
            scheduler.awaitLine("Serving securely on ");
            var answers = new ArrayList<CompletableFuture<HttpResponse<InputStream>>>();
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(
                        HttpClient.newBuilder()
                                .sslContext(TestClient.tls(null, List.of()))
                                .connectTimeout(Duration.ofMinutes(1))
                                .build());
            }
            for (int i = 0; i < CROWD; i++) {
                answers.add(
                        clients.get(i % CONNECTIONS)
                                .sendAsync(stream(scheduler), BodyHandlers.ofInputStream()));
            }
            int served = 0;
            for (var answer : answers) {
                int status = answer.orTimeout(2, TimeUnit.MINUTES).join().statusCode();
                assertThat(status).isIn(200, 429);
                served += status == 200 ? 1 : 0;
            }
            // Two that come at once may both be let in; the one that is too many ends at once.
            assertThat(served).isPositive();
            await().atMost(RunningScheduler.PATIENCE)
                    .untilAsserted(() -> assertThat(streams()).isLessThanOrEqualTo(16));
            for (int i = 0; i < 50; i++) {
                cluster.createPod("p" + i);
            }
            for (int i = 0; i < 50; i++) {
                cluster.awaitBound("p" + i);
            }
            assertThat(pages.get("/healthz").statusCode()).isEqualTo(200);
            // Once they have left, others are served again.
            clients.forEach(HttpClient::shutdownNow);
            await().atMost(RunningScheduler.PATIENCE).until(() -> isServed(scheduler));
        } finally {
            clients.forEach(HttpClient::shutdownNow);
        }
    }

    private HttpRequest stream(RunningScheduler scheduler) {
        return HttpRequest.newBuilder(
                        URI.create(
                                "https://127.0.0.1:%d/berth/v1/stream".formatted(scheduler.port())))
                .header("Authorization", "Bearer " + cluster.token())
                .build();
    }

    private boolean isServed(RunningScheduler scheduler) throws Exception {
        try (var client =
                HttpClient.newBuilder().sslContext(TestClient.tls(null, List.of())).build()) {
            var answer = client.send(stream(scheduler), BodyHandlers.ofInputStream());
            answer.body().close();
            client.shutdownNow();
            return answer.statusCode() == 200;
        }
    }
}
