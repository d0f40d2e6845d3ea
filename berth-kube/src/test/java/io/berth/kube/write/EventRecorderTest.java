package io.berth.kube.write;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.Patience;
import io.berth.kube.testing.ScriptedServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How events reach the server, and what becomes of those that repeat.
class EventRecorderTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00.123456789Z");

    private final Pod pod = Pod.builder("ns", "p").uid("u-1").resourceVersion("7").build();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile boolean mayWrite = true;
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    /// A leader that was stopped for a while still created 149 events after another had taken over.
    @Test
    @Tag("P-165")
    void whoMayNotWriteTellsNothingOfPods() throws Exception {
        var server = serve((request, answer) -> answer.send(201, "{}"));
        var recorder = recorder(server);
        mayWrite = false;
        recorder.record(event(pod));
        await().until(() -> recorder.failedCount() == 1);
        recorder.record(leaseEvent("a stopped leading"));
        await().until(() -> recorder.writtenCount() == 1);
        assertThat(writes(server))
                .singleElement()
                .satisfies(request -> assertThat(request.body()).contains("stopped leading"));
    }

    @Test
    @Tag("P-155")
    @Tag("P-156")
    @Tag("P-161")
    void anEventSaysAllItsFields() throws Exception {
        var server = serve((request, answer) -> answer.send(201, "{}"));
        recorder(server).record(event(pod), Pod.builder("ns", "q").uid("u-2").build());
        await().until(() -> writes(server).size() == 1);
        var request = writes(server).getFirst();
        assertThat(request.path()).isEqualTo("/apis/events.k8s.io/v1/namespaces/ns/events");
        long nanos = NOW.getEpochSecond() * 1_000_000_000L + NOW.getNano();
        assertThat(request.body())
                .contains("\"name\":\"p." + Long.toHexString(nanos) + "\"")
                .contains("\"eventTime\":\"2026-05-01T10:00:00.123456Z\"")
                .contains("\"type\":\"Warning\",\"reason\":\"FailedScheduling\"")
                .contains("\"action\":\"Scheduling\",\"note\":\"100% full\"")
                .contains("\"reportingController\":\"default-scheduler\"")
                .contains("\"reportingInstance\":\"default-scheduler-host\"")
                .contains(
                        "\"regarding\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"namespace\":\"ns\","
                                + "\"name\":\"p\",\"uid\":\"u-1\",\"resourceVersion\":\"7\"}")
                .contains("\"related\":{")
                .doesNotContain("series");
    }

    @Test
    @Tag("P-162")
    @Tag("P-163")
    void aRepetitionIsPatchedOnceAndThenOnlyCounted() throws Exception {
        var server = serve((request, answer) -> answer.send(201, "{}"));
        var recorder = recorder(server);
        for (int i = 0; i < 5; i++) {
            recorder.record(event(pod));
        }
        await().until(() -> recorder.writtenCount() == 2);
        assertThat(writes(server)).hasSize(2);
        assertThat(writes(server))
                .filteredOn(request -> request.verb().equals("PATCH"))
                .singleElement()
                .satisfies(request ->
                        assertThat(request.body())
                                .isEqualTo(
                                        "{\"series\":{\"count\":2,\"lastObservedTime\":"
                                                + "\"2026-05-01T10:00:00.123456Z\"}}"));
    }

    @Test
    @Tag("P-164")
    void aRepetitionOfAnExpiredEventCreatesItAnew() throws Exception {
        var server =
                serve((request, answer) ->
                        answer.send(request.verb().equals("PATCH") ? 404 : 201, "{}"));
        var recorder = recorder(server);
        recorder.record(event(pod));
        recorder.record(event(pod));
        await().until(() -> recorder.writtenCount() == 2);
        assertThat(writes(server))
                .anySatisfy(request -> {
                    assertThat(request.verb()).isEqualTo("POST");
                    assertThat(request.body()).contains("\"series\":{\"count\":2");
                });
    }

    @Test
    @Tag("P-165")
    void lostConnectionsAreTriedAgainAndRefusalsAreNot() throws Exception {
        var server =
                serve((request, answer) -> {
                    switch (turn.incrementAndGet()) {
                        case 1, 2 -> {
                            // Breaks off.
                        }
                        case 3 -> answer.send(201, "{}");
                        default -> answer.send(403, "");
                    }
                });
        var recorder = recorder(server);
        recorder.record(event(pod));
        await().until(() -> recorder.writtenCount() == 1);
        recorder.record(event(pod.toBuilder().resourceVersion("8").build()));
        await().until(() -> recorder.failedCount() == 1);
        assertThat(writes(server)).hasSize(4);
    }

    @Test
    @Tag("P-158")
    void beyondTheBufferEventsAreDroppedAndCounted() throws Exception {
        var stuck = new CountDownLatch(1);
        var server =
                serve((request, answer) -> {
                    stuck.await();
                    answer.send(201, "{}");
                });
        var recorder = recorder(server);
        for (int i = 0; i < 1500; i++) {
            recorder.record(event(pod.toBuilder().resourceVersion("v" + i).build()));
        }
        // 1,000 in the buffer, 32 being written, one in the hand of the thread between.
        assertThat(recorder.droppedCount()).isBetween(1500L - 1033, 500L);
        stuck.countDown();
        await().until(() ->
                recorder.writtenCount() + recorder.droppedCount() == 1500
                        && recorder.failedCount() == 0);
    }

    @Test
    @Tag("P-167")
    @Tag("P-259")
    void closingWritesWhatIsAtHand() throws Exception {
        var server = serve((request, answer) -> answer.send(201, "{}"));
        var recorder = recorder(server);
        recorder.record(event(pod));
        recorder.close();
        assertThat(recorder.writtenCount()).isEqualTo(1);
        recorder.record(event(pod));
        assertThat(recorder.droppedCount()).isEqualTo(1);
    }

    @Test
    @Tag("P-165")
    void twelveTriesAreEnough() throws Exception {
        var server = serve((request, answer) -> turn.incrementAndGet());
        var recorder = recorder(server);
        recorder.record(event(pod));
        await().until(() -> recorder.failedCount() == 1);
        assertThat(turn).hasValue(12);
        assertThat(EventRecorder.Retry.DEFAULT)
                .isEqualTo(
                        new EventRecorder.Retry(12, Duration.ofSeconds(10), Duration.ofSeconds(1)));
    }

    /// Creation and repetition travel side by side; the repetition may come first.
    @Test
    @Tag("P-159")
    @Tag("P-165")
    void aRepetitionThatOvertookItsEventIsTriedAgain() throws Exception {
        var server =
                serve((request, answer) -> {
                    switch (turn.incrementAndGet()) {
                        case 1 -> answer.send(500, "{}");
                        case 2 -> answer.send(404, "{}");
                        case 3 ->
                                answer.send(
                                        409,
                                        "{\"kind\":\"Status\",\"code\":409,"
                                                + "\"reason\":\"AlreadyExists\"}");
                        default -> answer.send(200, "{}");
                    }
                });
        var recorder = recorder(server);
        recorder.record(event(pod));
        await().until(() -> recorder.failedCount() == 1);
        recorder.record(event(pod));
        await().until(() -> recorder.writtenCount() == 1);
        assertThat(writes(server))
                .extracting(ScriptedServer.Request::verb)
                .containsExactly("POST", "PATCH", "POST", "PATCH");
    }

    @Test
    @Tag("P-157")
    void aServerWithoutTheGroupGetsEventsInTheOldForm() throws Exception {
        var server = serve(404, (request, answer) -> answer.send(201, "{}"));
        var recorder = recorder(server);
        recorder.record(event(pod), Pod.builder("ns", "q").uid("u-2").build());
        await().until(() -> recorder.writtenCount() == 1);
        recorder.record(event(pod));
        await().until(() -> recorder.writtenCount() == 2);
        var first = writes(server).getFirst();
        assertThat(first.path()).isEqualTo("/api/v1/namespaces/ns/events");
        assertThat(first.body())
                .contains("\"apiVersion\":\"v1\"", "\"message\":\"100% full\"")
                .contains("\"source\":{\"component\":\"default-scheduler\"}")
                .doesNotContain("action", "related");
        var second = writes(server).getLast();
        assertThat(second.verb()).isEqualTo("PATCH");
        assertThat(second.body())
                .isEqualTo(
                        "{\"count\":2,\"lastTimestamp\":\"2026-05-01T10:00:00Z\","
                                + "\"message\":\"100% full\"}");
        assertThat(server.requests()).filteredOn(r -> r.verb().equals("GET")).hasSize(1);
    }

    @Test
    @Tag("P-156")
    void aLeaseHasEventsOfTheOldFormInItsOwnNamespace() throws Exception {
        var server = serve((request, answer) -> answer.send(201, "{}"));
        var recorder = recorder(server);
        recorder.record(leaseEvent("host_1 became leader"));
        await().until(() -> recorder.writtenCount() == 1);
        var request = writes(server).getFirst();
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/kube-system/events");
        assertThat(request.body())
                .contains(
                        "\"involvedObject\":{\"kind\":\"Lease\","
                                + "\"apiVersion\":\"coordination.k8s.io/v1\","
                                + "\"namespace\":\"kube-system\",\"name\":\"kube-scheduler\","
                                + "\"uid\":\"u\",\"resourceVersion\":\"9\"}")
                .contains("\"reason\":\"LeaderElection\",\"message\":\"host_1 became leader\"")
                .contains(
                        "\"firstTimestamp\":\"2026-05-01T10:00:00Z\","
                                + "\"lastTimestamp\":\"2026-05-01T10:00:00Z\",\"count\":1,"
                                + "\"type\":\"Normal\"");
    }

    private static LegacyEvent leaseEvent(String message) {
        return new LegacyEvent(
                new LegacyEvent.Subject(
                        "Lease",
                        "coordination.k8s.io/v1",
                        "kube-system",
                        "kube-scheduler",
                        "u",
                        "9"),
                Recorder.Type.NORMAL,
                "LeaderElection",
                message,
                "default-scheduler");
    }

    @Nested
    class Series {
        private final EventSeries series = new EventSeries("host");

        @Test
        @Tag("P-162")
        void anotherVersionOfThePodIsAnotherEvent() {
            assertThat(series.add(event(pod), null, NOW)).isNotNull();
            var changed = pod.toBuilder().resourceVersion("8").build();
            var write = series.add(event(changed), null, NOW);
            assertThat(write).isNotNull();
            assertThat(series.size()).isEqualTo(2);
        }

        @Test
        @Tag("P-164")
        void aRunningSeriesIsWrittenEveryHalfHourAndAtItsEnd() {
            assertThat(series.due(NOW)).isEmpty();
            series.add(event(pod), null, NOW);
            series.add(event(pod), null, NOW);
            var now = NOW;
            int refreshed = 0;
            for (int minute = 0; minute < 29; minute++) {
                now = now.plus(Duration.ofMinutes(1));
                series.add(event(pod), null, now);
                refreshed += series.due(now).size();
            }
            assertThat(refreshed).isZero();
            now = now.plus(Duration.ofMinutes(1));
            assertThat(series.due(now))
                    .singleElement()
                    .satisfies(write ->
                            assertThat(write.series())
                                    .isEqualTo(new EventBody.Series(31, now(29))));
            now = now.plus(Duration.ofMinutes(12));
            assertThat(series.due(now)).hasSize(1);
            assertThat(series.size()).isZero();
        }

        @Test
        @Tag("P-164")
        void aSingleEventIsForgottenInSilence() {
            series.due(NOW);
            series.add(event(pod), null, NOW);
            assertThat(series.due(NOW.plus(Duration.ofMinutes(5)))).isEmpty();
            assertThat(series.size()).isEqualTo(1);
            assertThat(series.due(NOW.plus(Duration.ofMinutes(6)))).isEmpty();
            assertThat(series.size()).isZero();
        }

        private Instant now(int minutes) {
            return NOW.plus(Duration.ofMinutes(minutes));
        }
    }

    @Test
    void aNameThatWouldNotBeValidIsReplaced() {
        var odd = Pod.builder("ns", "UPPER_case").build();
        assertThat(EventBody.of(event(odd), null, "h", NOW).name())
                .matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }

    private static Recorder.Event event(Pod about) {
        return new Recorder.Event(
                about,
                Recorder.Type.WARNING,
                "FailedScheduling",
                "Scheduling",
                "100% full",
                "default-scheduler");
    }

    /// What was asked of the server, apart from which API groups it has.
    private static List<ScriptedServer.Request> writes(ScriptedServer server) {
        return server.requests().stream().filter(request -> !request.verb().equals("GET")).toList();
    }

    /// A server that has the group of events.
    private ScriptedServer serve(ScriptedServer.Script script) throws Exception {
        return serve(200, script);
    }

    private ScriptedServer serve(int discovery, ScriptedServer.Script script) throws Exception {
        var server =
                new ScriptedServer((request, answer) -> {
                    if (request.path().equals("/apis/events.k8s.io/v1")) {
                        answer.send(discovery, "{}");
                    } else {
                        script.answer(request, answer);
                    }
                });
        open.add(server);
        return server;
    }

    private EventRecorder recorder(ScriptedServer server) {
        var client =
                new ApiClient(
                        Connection.plain(server.uri()), ClientOptions.DEFAULT.withRate(-1, 0));
        open.add(client);
        var recorder =
                new EventRecorder(
                        client,
                        "host",
                        () -> mayWrite ? Long.MAX_VALUE : 0,
                        InstantSource.fixed(NOW),
                        new Random(1),
                        new EventRecorder.Retry(12, Duration.ofMillis(5), Patience.LIMIT));
        open.add(recorder);
        return recorder;
    }
}
