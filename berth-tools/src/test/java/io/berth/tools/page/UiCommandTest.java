package io.berth.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.app.ExitCode;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import io.berth.testkit.HeldPort;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `berth ui` over HTTP, about a dump and about a cluster.
@Timeout(120)
final class UiCommandTest {
    private static final String SHOP = "src/test/resources/shop.yaml";

    @TempDir Path folder;

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Test
    void dumpIsShownToWhoeverHasTheLink() throws Exception {
        try (var ui = RunningUi.start("--from", SHOP)) {
            assertThat(ui.out()).startsWith("See it at http://127.0.0.1:");
            assertThat(text(ui.get("/berth/v1/pending").body())).contains("shop/api-7d9f-x2k");
            assertThat(ui.get("/berth/v1/map").statusCode()).isEqualTo(200);
            assertThat(
                            text(
                                    ui.get(
                                                    "/berth/v1/namespaces/shop/pods/api-7d9f-x2k/explanation")
                                            .body()))
                    .contains("request cpu 1850m instead of 2");
            assertThat(ui.listen("event: queue"))
                    .contains("\"title\":\"" + SHOP)
                    .contains("\"nodes\":5");
            assertThat(
                            text(
                                    ui.post(
                                                    "/berth/v1/play",
                                                    "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a}]}")
                                            .body()))
                    .contains("\"placements\"");
            assertThat(ui.stop()).isEqualTo(ExitCode.OK);
            assertThat(ui.err()).isEmpty();
        }
    }

    @Test
    void withoutTheLinkThereAreTheFilesAlone() throws Exception {
        try (var ui = RunningUi.start("--from", SHOP)) {
            var page = ui.send(HttpRequest.newBuilder(ui.uri("/ui/")));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'");
            for (var path :
                    new String[] {
                        "/berth/v1/pending",
                        "/berth/v1/map",
                        "/berth/v1/stream",
                        "/berth/v1/namespaces/shop/pods/api-7d9f-x2k/explanation"
                    }) {
                assertThat(ui.send(HttpRequest.newBuilder(ui.uri(path))).statusCode())
                        .as(path)
                        .isEqualTo(401);
            }
            var fromElsewhere =
                    HttpRequest.newBuilder(ui.uri("/ui/")).header("Origin", "https://evil.example");
            assertThat(ui.send(fromElsewhere).statusCode()).isEqualTo(403);
            assertThat(ui.get("/berth/v1/nothing").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void clusterIsFollowedThroughItsApiServer() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
            try (var client =
                            new ApiClient(
                                    KubeConfig.load(kubeconfig).connection(""),
                                    ClientOptions.DEFAULT.withRate(-1, 0));
                    var ui = RunningUi.start("--kubeconfig", kubeconfig.toString())) {
                create(
                        client,
                        "/api/v1/nodes",
                        """
                        {"metadata": {"name": "n1"}, "status": {
                          "allocatable": {"cpu": "1", "memory": "1Gi", "pods": "10"}}}
                        """);
                // Each kind has a watch of its own, so the pod could be seen first.
                ui.listen("\"nodes\":1");
                create(
                        client,
                        "/api/v1/namespaces/default/pods",
                        """
                        {"metadata": {"name": "waits"}, "spec": {"containers": [
                          {"name": "c", "image": "i", "resources": {"requests": {"cpu": "2"}}}]}}
                        """);
                assertThat(ui.listen("\"pending\":1")).contains("\"nodes\":1,\"pods\":1");
                assertThat(
                                text(
                                        ui.get(
                                                        "/berth/v1/namespaces/default/pods/waits/explanation")
                                                .body()))
                        .contains("request cpu 1 instead of 2");
            }
        }
    }

    private static void create(ApiClient client, String path, String json) {
        client.send(ApiRequest.create(path, json.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | --from no-such-file.yaml | no-such-file.yaml",
                "1 | --from src/test/java/io/berth/tools/page | --from",
                "1 | --from src/test/resources/shop.yaml --config no-such-file | no-such-file",
                "1 | --kubeconfig no-such-file | no-such-file",
                "1 | --from scheduler --scheduler 127.0.0.1:10259 --kubeconfig no-such-file | no-such-file",
                "2 | --from scheduler | needs its address: give --scheduler HOST:PORT",
                "2 | --from scheduler --scheduler nowhere | must be an address and a port",
                "2 | --port many | --port must be a whole number from 0 to 65535",
                "2 | --port 65536 | --port must be a whole number from 0 to 65535",
                "2 | now | unexpected argument \"now\"",
                "2 | --colour | unknown flag",
            })
    void whatCannotBeShownIsOneSentence(int code, String words, String part) {
        var ended = RunningUi.ended(Map.of(), words.split(" "));
        assertThat(ended.code()).as(ended.err()).isEqualTo(code);
        assertThat(ended.err()).startsWith("Error: ").hasLineCount(1);
        if (!part.equals("--from")) {
            assertThat(ended.err()).contains(part);
        }
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void takenPortIsToldInOneSentence() throws Exception {
        try (var port = new HeldPort();
                var _ = port.listen()) {
            var ended =
                    RunningUi.ended(
                            Map.of(), "--from", SHOP, "--port", Integer.toString(port.number()));
            assertThat(ended.code()).isEqualTo(ExitCode.FAILED);
            assertThat(ended.err())
                    .startsWith("Error: port " + port.number() + " cannot be had")
                    .hasLineCount(1);
        }
    }

    @Test
    void whereNobodyAnswersIsToldInOneSentence() throws Exception {
        try (var nobody = new HeldPort()) {
            var kubeconfig =
                    Files.writeString(
                            folder.resolve("kubeconfig"),
                            """
                            {apiVersion: v1, kind: Config, current-context: c,
                             clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}],
                             contexts: [{name: c, context: {cluster: c, user: u}}],
                             users: [{name: u, user: {}}]}
                            """
                                    .formatted(nobody.number()));
            for (var from :
                    new String[] {
                        "--from=cluster",
                        "--from=scheduler --scheduler=127.0.0.1:" + nobody.number()
                    }) {
                var words = (from + " --kubeconfig=" + kubeconfig).split(" ");
                var ended = RunningUi.ended(Map.of(), words);
                assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.FAILED);
                assertThat(ended.err())
                        .startsWith("Error: ")
                        .contains("connection refused")
                        .hasLineCount(1);
            }
        }
    }
}
