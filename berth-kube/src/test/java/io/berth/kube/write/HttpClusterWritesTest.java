package io.berth.kube.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterException;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.Connection;
import io.berth.kube.testing.ScriptedServer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What goes over the wire for each write, and what comes of the answers.
class HttpClusterWritesTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00.123456Z");
    private static final PodCondition UNSCHEDULABLE =
            PodCondition.of("PodScheduled", "False", "Unschedulable", "0/3 nodes");

    private final AtomicInteger turn = new AtomicInteger();
    private ScriptedServer.Script script = (request, answer) -> answer.send(200, "{}");
    private ScriptedServer server;
    private ApiClient client;
    private HttpClusterWrites writes;
    private final Pod pod = Pod.builder("ns", "p").uid("u-1").generation(4).build();

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer((request, answer) -> script.answer(request, answer));
        client =
                new ApiClient(
                        Connection.plain(server.uri()), ClientOptions.DEFAULT.withRate(-1, 0));
        writes = new HttpClusterWrites(client, InstantSource.fixed(NOW), new Random(1));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void aBindingNamesThePodWithItsUidAndTheNode() {
        writes.bind(pod, "node-1");
        var request = server.requests().getFirst();
        assertThat(request.verb()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/pods/p/binding");
        assertThat(request.body())
                .isEqualTo(
                        "{\"kind\":\"Binding\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\","
                                + "\"namespace\":\"ns\",\"uid\":\"u-1\"},\"target\":{\"kind\":\"Node\","
                                + "\"name\":\"node-1\"}}");
    }

    @Test
    void aDeletionSparesAPodCreatedAnew() {
        writes.delete(pod);
        var request = server.requests().getFirst();
        assertThat(request.verb()).isEqualTo("DELETE");
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/pods/p");
        assertThat(request.body()).contains("\"preconditions\":{\"uid\":\"u-1\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "400, REFUSED",
        "401, REFUSED",
        "403, REFUSED",
        "404, NOT_FOUND",
        "409, CONFLICT",
        "410, NOT_FOUND",
        "422, REFUSED",
        "429, UNAVAILABLE",
        "500, UNAVAILABLE",
        "503, UNAVAILABLE",
        "504, TIMEOUT"
    })
    void answersBecomeKinds(int code, ClusterException.Kind kind) {
        script =
                (request, answer) ->
                        answer.send(
                                code,
                                "{\"kind\":\"Status\",\"code\":" + code + ",\"message\":\"why\"}");
        var failure =
                catchThrowableOfType(ClusterException.class, () -> writes.bind(pod, "node-1"));
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessage("why");
        assertThat(server.requests()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aBindingWhoseAnswerIsLostMayHaveHappened() {
        script = (request, answer) -> {};
        var failure =
                catchThrowableOfType(ClusterException.class, () -> writes.bind(pod, "node-1"));
        assertThat(failure.kind()).isEqualTo(ClusterException.Kind.TIMEOUT);
        assertThat(server.requests()).hasSize(1);
    }

    @Nested
    class StatusPatches {
        @Test
        void aNewConditionIsSentWhole() {
            assertThat(patch(pod, UNSCHEDULABLE, null))
                    .isEqualTo(
                            "{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\","
                                    + "\"observedGeneration\":4,\"status\":\"False\","
                                    + "\"lastTransitionTime\":\"2026-05-01T10:00:00Z\","
                                    + "\"reason\":\"Unschedulable\",\"message\":\"0/3 nodes\","
                                    + "\"lastProbeTime\":null}]}}");
            var request = server.requests().getFirst();
            assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/pods/p/status");
            assertThat(request.headers())
                    .containsEntry("content-type", "application/strategic-merge-patch+json");
        }

        @Test
        void ofAKnownConditionOnlyTheDifferenceIsSent() {
            var known = pod.toBuilder().condition(UNSCHEDULABLE).build();
            var other = PodCondition.of("PodScheduled", "False", "Unschedulable", "0/4 nodes");
            assertThat(patch(known, other, null))
                    .isEqualTo(
                            "{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\","
                                    + "\"observedGeneration\":4,\"message\":\"0/4 nodes\"}]}}");
        }

        @Test
        void anotherGenerationAloneIsNoReasonToWrite() {
            var known = pod.toBuilder().condition(UNSCHEDULABLE).generation(5).build();
            assertThat(patch(known, UNSCHEDULABLE, null)).isNull();
            assertThat(patch(known, UNSCHEDULABLE, "")).isNull();
            assertThat(patch(known, null, null)).isNull();
        }

        @Test
        void aNominationIsSetAndCleared() {
            assertThat(patch(pod, null, "n"))
                    .isEqualTo("{\"status\":{\"nominatedNodeName\":\"n\"}}");
            var nominated = pod.toBuilder().nominatedNodeName("n").build();
            assertThat(patch(nominated, null, "n")).isNull();
            assertThat(patch(nominated, null, ""))
                    .isEqualTo("{\"status\":{\"nominatedNodeName\":null}}");
        }

        @Test
        void passingTroubleIsTriedFourTimes() {
            script =
                    (request, answer) -> {
                        switch (turn.incrementAndGet()) {
                            case 1 -> answer.send(500, "");
                            case 2 -> answer.send(503, "");
                            case 3 -> answer.send(409, "");
                            default -> answer.send(200, "{}");
                        }
                    };
            writes.patchStatus(pod, UNSCHEDULABLE, null);
            assertThat(server.requests()).hasSize(4);
        }

        @Test
        void lastingTroubleIsReported() {
            script = (request, answer) -> answer.send(503, "");
            var failure =
                    catchThrowableOfType(
                            ClusterException.class,
                            () -> writes.patchStatus(pod, UNSCHEDULABLE, null));
            assertThat(failure.kind()).isEqualTo(ClusterException.Kind.UNAVAILABLE);
            assertThat(server.requests()).hasSize(4);
        }

        @Test
        void aRefusalIsNotRepeated() {
            script = (request, answer) -> answer.send(404, "");
            var failure =
                    catchThrowableOfType(
                            ClusterException.class,
                            () -> writes.patchStatus(pod, UNSCHEDULABLE, null));
            assertThat(failure.kind()).isEqualTo(ClusterException.Kind.NOT_FOUND);
            assertThat(server.requests()).hasSize(1);
        }

        private @Nullable String patch(
                Pod known, @Nullable PodCondition condition, @Nullable String node) {
            int before = server.requests().size();
            writes.patchStatus(known, condition, node);
            var sent = server.requests();
            return sent.size() == before ? null : sent.getLast().body();
        }
    }
}
