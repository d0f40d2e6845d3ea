package io.berth.kube.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.Patience;
import io.berth.kube.testing.ScriptedServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What goes over the wire for each write, and what comes of the answers.
class HttpClusterWritesTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00.123456Z");
    private static final String IDENTITY = "{\"metadata\":{\"uid\":\"u-1\"},";
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

    /// A pod whose volume was written without an answer waited for a second silence, as long as any
    /// request may take.
    @Test
    @Tag("VB-18")
    void whatBecameOfAWriteIsNotWaitedForAsLongAsForTheWrite() {
        script = (request, answer) -> answer.hang();
        var options = ClientOptions.DEFAULT.withRate(-1, 0);
        try (var patient =
                new ApiClient(
                        Connection.plain(server.uri()),
                        options.withRequestTimeout(Duration.ofMinutes(10)))) {
            var hasty =
                    new HttpClusterWrites(
                            patient,
                            InstantSource.fixed(NOW),
                            new Random(1),
                            Duration.ofMillis(50));
            var silence =
                    catchThrowableOfType(
                            ClusterException.class,
                            () -> hasty.read(Kind.PERSISTENT_VOLUME, "", "v"));
            assertThat(silence.kind()).isEqualTo(ClusterException.Kind.TIMEOUT);
        }
    }

    @Test
    void aBindingNamesThePodWithItsUidAndTheNode() {
        writes.send(new Write.Bind(pod, "node-1"));
        var request = server.requests().getFirst();
        assertThat(request.verb()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/pods/p/binding");
        assertThat(request.body())
                .isEqualTo(
                        "{\"kind\":\"Binding\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\","
                                + "\"namespace\":\"ns\",\"uid\":\"u-1\"},\"target\":{\"kind\":\"Node\","
                                + "\"name\":\"node-1\"}}");
    }

    @Nested
    @Tag("VB-17")
    class VolumesAndClaims {
        private final PersistentVolume volume =
                PersistentVolume.named("v").resourceVersion("7").build();
        private final PersistentVolumeClaim claim =
                PersistentVolumeClaim.named("ns", "c").uid("u-c").resourceVersion("8").build();

        @BeforeEach
        void answerWithTheObject() {
            script =
                    (request, answer) ->
                            answer.send(
                                    200,
                                    "{\"spec\":{\"resourceVersion\":\"0\"},\"metadata\":{\"name\":\"x\","
                                            + "\"labels\":{\"resourceVersion\":\"1\"},"
                                            + "\"resourceVersion\":\"9\"}}");
        }

        @Test
        void volumeIsKeptForAClaimUnlessItChanged() {
            var receipt = writes.send(new Write.ReserveVolume(volume, claim, true));
            assertThat(receipt).isEqualTo(Receipt.of("9"));
            var request = server.requests().getFirst();
            assertThat(request.verb()).isEqualTo("PATCH");
            assertThat(request.path()).isEqualTo("/api/v1/persistentvolumes/v");
            assertThat(request.body())
                    .isEqualTo(
                            "{\"metadata\":{\"resourceVersion\":\"7\",\"annotations\":"
                                    + "{\"pv.kubernetes.io/bound-by-controller\":\"yes\"}},"
                                    + "\"spec\":{\"claimRef\":{\"kind\":\"PersistentVolumeClaim\","
                                    + "\"apiVersion\":\"v1\",\"namespace\":\"ns\",\"name\":\"c\","
                                    + "\"uid\":\"u-c\",\"resourceVersion\":\"8\"}}}");
        }

        @Test
        void volumeThatWasKeptForTheClaimBeforeIsNotMarked() {
            writes.send(new Write.ReserveVolume(volume, claim, false));
            assertThat(server.requests().getFirst().body()).doesNotContain("annotations");
        }

        /// Found beside kube-scheduler: the reference was written again with another version of the
        /// claim in it.
        @Test
        @Tag("VB-15")
        void volumeThatNamesTheVeryClaimIsLeftAsItIs() {
            var reference = new PersistentVolume.ClaimReference("ns", "c", "u-c");
            var kept = volume.toBuilder().claim(reference).build();
            writes.send(new Write.ReserveVolume(kept, claim, false));
            assertThat(server.requests().getFirst().body())
                    .isEqualTo("{\"metadata\":{\"resourceVersion\":\"7\"}}");
        }

        @Test
        void claimIsToldItsNodeUnlessItChanged() {
            var receipt = writes.send(new Write.SelectNode(claim, "node-1"));
            assertThat(receipt).isEqualTo(Receipt.of("9"));
            var request = server.requests().getFirst();
            assertThat(request.verb()).isEqualTo("PATCH");
            assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/persistentvolumeclaims/c");
            assertThat(request.body())
                    .isEqualTo(
                            "{\"metadata\":{\"resourceVersion\":\"8\",\"annotations\":"
                                    + "{\"volume.kubernetes.io/selected-node\":\"node-1\"}}}");
        }
    }

    @Test
    void objectsOfAnyKindArePatched() {
        var racks = Kind.of("example.com", "v1", "racks");
        var patch = new LinkedHashMap<String, @Nullable Object>();
        patch.put("gone", null);
        patch.put("spec", Map.of("list", List.of(1, 2.5, true, "x")));
        writes.send(new Write.PatchObject(racks, "", "r", "status", patch));
        writes.send(new Write.PatchObject(racks, "ns", "r", "", Map.of()));
        var request = server.requests().getFirst();
        assertThat(request.verb()).isEqualTo("PATCH");
        assertThat(request.path()).isEqualTo("/apis/example.com/v1/racks/r/status");
        assertThat(request.body())
                .isEqualTo("{\"gone\":null,\"spec\":{\"list\":[1,2.5,true,\"x\"]}}");
        assertThat(server.requests().getLast().path())
                .isEqualTo("/apis/example.com/v1/namespaces/ns/racks/r");
    }

    @Test
    void aDeletionSparesAPodCreatedAnew() {
        writes.send(new Write.Delete(pod));
        var request = server.requests().getFirst();
        assertThat(request.verb()).isEqualTo("DELETE");
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/pods/p");
        assertThat(request.body()).contains("\"preconditions\":{\"uid\":\"u-1\"}");
    }

    /// An eviction broke off in the middle since an answer was lost, and its preemptor looked for
    /// other victims.
    @Test
    void aDeletionWhoseAnswerIsLostIsRepeated() {
        script =
                (request, answer) -> {
                    if (turn.incrementAndGet() > 1) {
                        answer.send(404, "{\"kind\":\"Status\",\"code\":404,\"message\":\"gone\"}");
                    }
                };
        var failure =
                catchThrowableOfType(
                        ClusterException.class, () -> writes.send(new Write.Delete(pod)));
        assertThat(failure.kind()).isEqualTo(ClusterException.Kind.NOT_FOUND);
        assertThat(server.requests()).hasSize(2);
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
                catchThrowableOfType(
                        ClusterException.class, () -> writes.send(new Write.Bind(pod, "node-1")));
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessage("why");
        assertThat(server.requests()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aBindingWhoseAnswerIsLostMayHaveHappened() {
        script = (request, answer) -> {};
        var failure =
                catchThrowableOfType(
                        ClusterException.class, () -> writes.send(new Write.Bind(pod, "node-1")));
        assertThat(failure.kind()).isEqualTo(ClusterException.Kind.TIMEOUT);
        assertThat(server.requests()).hasSize(1);
    }

    @Nested
    class StatusPatches {
        @Test
        void aNewConditionIsSentWhole() {
            assertThat(patch(pod, UNSCHEDULABLE, null))
                    .isEqualTo(
                            IDENTITY
                                    + "\"status\":{\"conditions\":[{\"type\":\"PodScheduled\","
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
                            IDENTITY
                                    + "\"status\":{\"conditions\":[{\"type\":\"PodScheduled\","
                                    + "\"observedGeneration\":4,\"message\":\"0/4 nodes\"}]}}");
        }

        /// The server would put it first, where people look for PodScheduled.
        @Test
        void aSecondConditionComesAfterTheFirst() {
            var known = pod.toBuilder().condition(UNSCHEDULABLE).build();
            var second = PodCondition.of("DisruptionTarget", "True", "PreemptionByScheduler", "");
            assertThat(patch(known, second, null))
                    .contains(
                            "\"status\":{\"$setElementOrder/conditions\":"
                                    + "[{\"type\":\"PodScheduled\"},{\"type\":\"DisruptionTarget\"}],"
                                    + "\"conditions\":[{\"type\":\"DisruptionTarget\",");
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
                    .isEqualTo(IDENTITY + "\"status\":{\"nominatedNodeName\":\"n\"}}");
            var nominated = pod.toBuilder().nominatedNodeName("n").build();
            assertThat(patch(nominated, null, "n")).isNull();
            assertThat(patch(nominated, null, ""))
                    .isEqualTo(IDENTITY + "\"status\":{\"nominatedNodeName\":null}}");
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
            writes.send(Write.PatchStatus.of(pod, UNSCHEDULABLE, null));
            assertThat(server.requests()).hasSize(4);
        }

        /// A pod made anew under the name got its predecessor's condition.
        @Test
        void aPodMadeAnewUnderTheNameIsLeftAlone() {
            script =
                    (request, answer) ->
                            answer.send(
                                    409,
                                    "{\"kind\":\"Status\",\"code\":409,\"message\":\"Precondition failed:"
                                            + " UID in precondition: a, UID in object meta: b\"}");
            var failure =
                    catchThrowableOfType(
                            ClusterException.class,
                            () -> writes.send(Write.PatchStatus.of(pod, UNSCHEDULABLE, null)));
            assertThat(failure.kind()).isEqualTo(ClusterException.Kind.NOT_FOUND);
            assertThat(server.requests()).hasSize(1);
        }

        @Test
        void whatIsWithdrawnIsNotSent() {
            var departure = new Departure();
            departure.withdraw();
            assertThat(writes.send(Write.PatchStatus.of(pod, UNSCHEDULABLE, null), departure))
                    .isEqualTo(Receipt.WITHDRAWN);
            assertThat(server.requests()).isEmpty();
        }

        @Test
        void whatWaitsForAnotherTryCanBeWithdrawn() {
            var departure = new Departure();
            script =
                    (request, answer) -> {
                        departure.withdraw();
                        assertThat(departure.isUnderWay()).as("it was too late").isTrue();
                        answer.send(429, "{}", "Retry-After", "30");
                        Patience.await().until(() -> !departure.isUnderWay());
                        departure.withdraw();
                    };
            assertThat(writes.send(Write.PatchStatus.of(pod, UNSCHEDULABLE, null), departure))
                    .isEqualTo(Receipt.WITHDRAWN);
            assertThat(server.requests()).hasSize(1);
        }

        @Test
        void lastingTroubleIsReported() {
            script = (request, answer) -> answer.send(503, "");
            var failure =
                    catchThrowableOfType(
                            ClusterException.class,
                            () -> writes.send(Write.PatchStatus.of(pod, UNSCHEDULABLE, null)));
            assertThat(failure.kind()).isEqualTo(ClusterException.Kind.UNAVAILABLE);
            assertThat(server.requests()).hasSize(4);
        }

        @Test
        void aRefusalIsNotRepeated() {
            script = (request, answer) -> answer.send(404, "");
            var failure =
                    catchThrowableOfType(
                            ClusterException.class,
                            () -> writes.send(Write.PatchStatus.of(pod, UNSCHEDULABLE, null)));
            assertThat(failure.kind()).isEqualTo(ClusterException.Kind.NOT_FOUND);
            assertThat(server.requests()).hasSize(1);
        }

        private @Nullable String patch(
                Pod known, @Nullable PodCondition condition, @Nullable String node) {
            int before = server.requests().size();
            writes.send(Write.PatchStatus.of(known, condition, node));
            var sent = server.requests();
            return sent.size() == before ? null : sent.getLast().body();
        }
    }
}
