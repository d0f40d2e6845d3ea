package io.berth.kube.lease;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.ScriptedServer;
import io.berth.testkit.NotedLog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How a process offers itself for coordinated election.
@Tag("P-240")
class LeaseCandidateTest {
    private static final Instant TIME = Instant.parse("2026-05-01T10:00:00.123456Z");
    private static final String PATH =
            "/apis/coordination.k8s.io/v1beta1/namespaces/kube-system/leasecandidates";

    @Test
    void itIsCreatedAndAnswersAPing() throws Exception {
        var watches = new AtomicInteger();
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            if (request.isWatch()) {
                                answer.begin();
                                if (watches.getAndIncrement() == 0) {
                                    answer.line(modified("2026-05-01T09:00:00.000000Z"));
                                    answer.line(modified("2026-05-01T10:00:01.000000Z"));
                                }
                                answer.hang();
                            } else {
                                answer.send(request.verb().equals("GET") ? 404 : 200, object("7"));
                            }
                        });
                var client = new ApiClient(Connection.plain(server.uri()), ClientOptions.DEFAULT);
                var candidate = candidate(client)) {
            candidate.start();
            await().until(() -> verbs(server).contains("PUT"));
            assertThat(candidate.isSynced()).isTrue();
            // The first change is no ping: it is older than our last sign of life.
            assertThat(verbs(server)).containsExactly("GET", "POST", "GET", "PUT");
            var created = server.requests().get(1);
            assertThat(created.path()).isEqualTo(PATH);
            assertThat(created.body())
                    .isEqualTo(
                            "{\"apiVersion\":\"coordination.k8s.io/v1beta1\","
                                    + "\"kind\":\"LeaseCandidate\",\"metadata\":"
                                    + created.body()
                                            .substring(
                                                    created.body().indexOf("{\"n"),
                                                    created.body().indexOf(",\"spec\""))
                                    + ",\"spec\":{\"leaseName\":\"kube-scheduler\","
                                    + "\"binaryVersion\":\"1.36.4\",\"emulationVersion\":\"1.36.0\","
                                    + "\"strategy\":\"OldestEmulationVersion\","
                                    + "\"renewTime\":\"2026-05-01T10:00:00.123456Z\"}}")
                    .contains("\"name\":\"host_1\"", "\"namespace\":\"kube-system\"");
            var watch = server.requests().get(2);
            assertThat(watch.parameter("fieldSelector")).isEqualTo("metadata.name=host_1");
            assertThat(watch.parameter("timeoutSeconds")).isEqualTo("300");
            assertThat(server.requests().get(3).body())
                    .contains("\"renewTime\":\"2026-05-01T10:00:00.123456Z\"");
        }
    }

    @Test
    void itIsRenewedWhenTheWatchEndsAndAfterTrouble() throws Exception {
        var turn = new AtomicInteger();
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            if (turn.getAndIncrement() == 0) {
                                answer.send(500, "{}");
                            } else if (request.isWatch()) {
                                answer.begin().end();
                            } else {
                                answer.send(200, object("7"));
                            }
                        });
                var client = new ApiClient(Connection.plain(server.uri()), ClientOptions.DEFAULT);
                var candidate = candidate(client)) {
            candidate.start();
            await().until(() -> verbs(server).stream().filter("PUT"::equals).count() >= 2);
            assertThat(verbs(server)).startsWith("GET", "GET", "PUT", "GET", "GET", "PUT");
        }
    }

    private static List<String> verbs(ScriptedServer server) {
        return server.requests().stream().map(ScriptedServer.Request::verb).toList();
    }

    private static String modified(String pingTime) {
        return "{\"type\":\"MODIFIED\",\"object\":"
                + object("8").replace("\"spec\":{", "\"spec\":{\"pingTime\":\"" + pingTime + "\",")
                + "}";
    }

    private static String object(String version) {
        return "{\"metadata\":{\"name\":\"host_1\",\"resourceVersion\":\""
                + version
                + "\"},\"spec\":{\"renewTime\":\"2026-05-01T09:30:00.000000Z\"}}";
    }

    private static LeaseCandidate candidate(ApiClient client) {
        return new LeaseCandidate(
                client,
                new LeaseCandidate.Offer(
                        "kube-system", "host_1", "kube-scheduler", "1.36.4", "1.36.0"),
                InstantSource.fixed(TIME),
                new Random(1),
                new NotedLog());
    }
}
