package io.berth.tools.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.app.ExitCode;
import io.berth.app.StopSignal;
import io.berth.app.command.Streams;
import io.berth.app.log.ProcessLog;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShadowCommandTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final StopSignal stop = new StopSignal();

    private int run(String... words) {
        var log = new ArrayList<String>();
        return new ShadowCommand(Map.of(), () -> stop)
                .run(
                        List.of(words),
                        new Streams(
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                new ProcessLog(log::add)));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "now | unexpected argument \"now\"",
                "--duration 0s | --duration must be longer than nothing",
                "--duration soon | invalid argument",
                "--interval 1ms | --interval must be at least 100ms",
                "-o xml | -o is one of text, json, markdown, not \"xml\"",
                "--metrics-address 9464 | --metrics-address must be an address and a port",
                "--metrics-address 127.0.0.1:99999 | --metrics-address must be an address and a port",
                "--metrics-address localhost:1 | --metrics-address must be an address and a port",
                "--raport x | unknown flag"
            })
    void wrongUsageIsOneSentence(String words, String sentence) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains(sentence).hasLineCount(1);
        assertThat(out()).isEmpty();
    }

    @Test
    void whatCannotBeFollowedIsOneSentence() throws IOException {
        fails("no cluster is configured");
        var config =
                Files.writeString(
                                folder.resolve("kubeconfig"),
                                """
                                apiVersion: v1
                                kind: Config
                                current-context: c
                                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                                contexts: [{name: c, context: {cluster: c}}]
                                """)
                        .toString();
        fails("http://127.0.0.1:1", "--kubeconfig", config);
        fails("has no entry named \"d\"", "--kubeconfig", config, "--context", "d");
        fails(
                "the report cannot be written to",
                "--kubeconfig",
                config,
                "--report",
                folder.resolve("none/report.md").toString());
        var broken =
                Files.writeString(folder.resolve("config.yaml"), "apiVersion: v1\nkind: Pod\n")
                        .toString();
        fails("config.yaml", "--kubeconfig", config, "--config", broken);
    }

    private void fails(String sentence, String... words) {
        err.reset();
        assertThat(run(words)).as(err()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains(sentence).hasLineCount(1).doesNotContain("Exception");
    }

    /// One pod goes to the better of two nodes, one to the worse.
    @Test
    void decisionsAreReportedInEveryForm() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
            try (var client =
                    new ApiClient(
                            KubeConfig.load(kubeconfig).connection(""),
                            ClientOptions.DEFAULT.withRate(-1, 0))) {
                node(client, "good", "");
                node(client, "slow", "{'key': 'slow', 'effect': 'PreferNoSchedule'}");
                var markdown = folder.resolve("report.md");
                var ended =
                        CompletableFuture.supplyAsync(() ->
                                run(
                                        "--kubeconfig",
                                        kubeconfig.toString(),
                                        "--interval",
                                        "100ms",
                                        "-o",
                                        "json",
                                        "--report",
                                        markdown.toString()));
                await(() -> err().contains("following the scheduler of"), ended);
                place(client, "well", "good");
                await(() -> err().contains("1 judged"), ended);
                place(client, "badly", "slow");
                await(() -> err().contains("2 judged"), ended);
                stop.ask();
                assertThat(ended.get(1, TimeUnit.MINUTES)).as(err()).isEqualTo(ExitCode.OK);
                var told = new ObjectMapper().readTree(out());
                assertThat(told.at("/judged").asInt()).isEqualTo(2);
                assertThat(told.at("/results/best").asInt()).isEqualTo(1);
                assertThat(told.at("/results/worse").asInt()).isEqualTo(1);
                assertThat(told.at("/worst/0/plugin").asText()).isEqualTo("TaintToleration");
                assertThat(Files.readString(markdown))
                        .contains("1 of 2 decisions within the best set")
                        .contains("default/badly")
                        .contains("|---");
            }
        }
    }

    /// It ends by itself.
    @Test
    void quietClusterIsReportedAsText() throws Exception {
        try (var server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT)) {
            var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
            var report = folder.resolve("report.txt");
            assertThat(
                            run(
                                    "--kubeconfig",
                                    kubeconfig.toString(),
                                    "--duration",
                                    "200ms",
                                    "--report",
                                    report.toString()))
                    .as(err())
                    .isEqualTo(ExitCode.OK);
            assertThat(out()).contains("No pod got a node while it was watched.");
            assertThat(Files.readString(report)).contains("No pod got a node");
            assertThat(out().lines()).allMatch(line -> line.length() <= 160);
        }
    }

    private static void await(BooleanSupplier condition, CompletableFuture<Integer> ended)
            throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(ended.isDone()).as("ended too early").isFalse();
            assertThat(System.nanoTime()).as("nothing happened").isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static void node(ApiClient client, String name, String taint) {
        create(
                client,
                "/api/v1/nodes",
                """
                {'metadata': {'name': '%s'}, 'spec': {'taints': [%s]}, 'status': {
                  'allocatable': {'cpu': '8', 'memory': '8Gi', 'pods': '10'}}}
                """
                        .formatted(name, taint));
    }

    private static void place(ApiClient client, String pod, String node) {
        create(
                client,
                "/api/v1/namespaces/default/pods",
                """
                {'metadata': {'name': '%s'}, 'spec': {'containers': [{'name': 'c', 'image': 'i',
                  'resources': {'requests': {'cpu': '100m'}}}]}}
                """
                        .formatted(pod));
        create(
                client,
                "/api/v1/namespaces/default/pods/" + pod + "/binding",
                """
                {'metadata': {'name': '%s'}, 'target': {'kind': 'Node', 'name': '%s'}}
                """
                        .formatted(pod, node));
    }

    private static void create(ApiClient client, String path, String json) {
        client.send(
                ApiRequest.create(path, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }
}
