package io.berth.tools.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.app.ExitCode;
import io.berth.app.Main;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `berth ui --from scheduler`: a scheduler at work behind the page, with the rights of whoever
/// looks.
@Timeout(240)
final class UiFromSchedulerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir Path folder;
    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
    private final HeldPort port;
    private final List<Process> started = new ArrayList<>();

    UiFromSchedulerTest() throws IOException {
        port = new HeldPort();
    }

    @BeforeEach
    void fill() throws IOException {
        var file = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
        Files.writeString(folder.resolve("token"), server.tokenKubeconfig());
        Files.writeString(
                folder.resolve("nobody"), server.tokenKubeconfig().replaceAll("token: .*", "{}"));
        try (var client =
                new ApiClient(
                        KubeConfig.load(file).connection(""),
                        ClientOptions.DEFAULT.withRate(-1, 0))) {
            client.send(
                    ApiRequest.create(
                            "/api/v1/nodes",
                            """
                            {"metadata": {"name": "n1"}, "status": {
                              "allocatable": {"cpu": "1", "memory": "1Gi", "pods": "10"}}}
                            """
                                    .getBytes(StandardCharsets.UTF_8)));
            client.send(
                    ApiRequest.create(
                            "/api/v1/namespaces/default/pods",
                            """
                            {"metadata": {"name": "waits"}, "spec": {"containers": [
                              {"name": "c", "image": "i", "resources": {"requests": {"cpu": "2"}}}]}}
                            """
                                    .getBytes(StandardCharsets.UTF_8)));
        }
    }

    @AfterEach
    void end() throws IOException {
        started.forEach(Process::destroyForcibly);
        server.close();
        port.close();
    }

    private void startScheduler() throws IOException {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--kubeconfig=" + folder.resolve("kubeconfig"),
                        "--authentication-kubeconfig=" + folder.resolve("kubeconfig"),
                        "--authorization-kubeconfig=" + folder.resolve("kubeconfig"),
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + port.number(),
                        "--cert-dir=" + folder.resolve("pair"),
                        "--leader-elect=false"));
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        started.add(process);
        await().atMost(PATIENCE)
                .failFast("it ended by itself", () -> !process.isAlive())
                .until(() ->
                        Files.readString(folder.resolve("log")).contains("Serving securely on"));
    }

    private String[] words(String kubeconfig) throws IOException {
        return new String[] {
            "--from=scheduler",
            "--scheduler=127.0.0.1:" + port.number(),
            "--scheduler-ca=" + certificate(),
            "--kubeconfig=" + folder.resolve(kubeconfig)
        };
    }

    private Path certificate() throws IOException {
        try (var files = Files.list(folder.resolve("pair"))) {
            return files.filter(file -> file.toString().endsWith(".crt")).findFirst().orElseThrow();
        }
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Test
    void theSchedulerAnswersWhatThePageOfThoseAsksWhomItKnows() throws Exception {
        startScheduler();
        try (var ui = RunningUi.start(words("token"))) {
            assertThat(ui.listen("\"pending\":1"))
                    .contains("\"title\":\"scheduler\"")
                    .contains("\"nodes\":1");
            await().atMost(PATIENCE)
                    .until(() ->
                            text(ui.get("/berth/v1/pending").body()).contains("default/waits"));
            assertThat(ui.get("/berth/v1/map").headers().firstValue("Content-Type"))
                    .contains("application/octet-stream");
            var missing = ui.get("/berth/v1/map/verdicts?pod=default%2Fnobody");
            assertThat(missing.statusCode()).isEqualTo(404);
            assertThat(text(missing.body())).isEqualTo("there is no such pod\n");
            assertThat(
                            text(
                                    ui.post(
                                                    "/berth/v1/play",
                                                    "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a}]}")
                                            .body()))
                    .contains("\"node\":\"n1\"");
            assertThat(ui.get("/ui/app.js").statusCode()).isEqualTo(200);
            assertThat(ui.stop()).isEqualTo(ExitCode.OK);
        }
        var nobody = RunningUi.ended(Map.of(), words("nobody"));
        assertThat(nobody.code()).isEqualTo(ExitCode.FAILED);
        assertThat(nobody.err()).contains("does not answer to you").hasLineCount(1);
    }

    @Test
    void whereThereIsNoPageThatIsTold() throws Exception {
        // An API server is no scheduler.
        var none =
                RunningUi.ended(
                        Map.of(),
                        "--from=scheduler",
                        "--scheduler=127.0.0.1:" + server.port(),
                        "--kubeconfig=" + folder.resolve("token"));
        assertThat(none.code()).isEqualTo(ExitCode.FAILED);
        assertThat(none.err()).contains("has no page").contains("--ui=false").hasLineCount(1);
    }
}
