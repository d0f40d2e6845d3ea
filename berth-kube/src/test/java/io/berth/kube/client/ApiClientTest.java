package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.kube.client.ApiException.Failure;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Credentials;
import io.berth.kube.testing.Patience;
import io.berth.kube.testing.ScriptedServer;
import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What callers may rely on, whatever the server does.
class ApiClientTest {
    private final AtomicInteger turn = new AtomicInteger();

    @Test
    @Tag("P-123")
    @Tag("P-125")
    void requestsSayWhoAsksAndForWhat() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(201, "{}"))) {
            var connection =
                    new Connection(
                            server.uri(),
                            Connection.Tls.DEFAULT,
                            null,
                            Credentials.bearer("t"),
                            Map.of("Impersonate-User", List.of("boss")));
            try (var client = new ApiClient(connection, ClientOptions.DEFAULT)) {
                var request =
                        ApiRequest.patch(
                                        "/a/b",
                                        ApiRequest.STRATEGIC_MERGE_PATCH,
                                        "{\"x\":1}".getBytes(StandardCharsets.UTF_8))
                                .with("q", "a=b,c!=d e");
                assertThat(client.send(request).code()).isEqualTo(201);
            }
            var seen = server.requests().getFirst();
            assertThat(seen.verb()).isEqualTo("PATCH");
            assertThat(seen.path()).isEqualTo("/a/b");
            assertThat(seen.query()).isEqualTo(Map.of("q", "a=b,c!=d e"));
            assertThat(seen.body()).isEqualTo("{\"x\":1}");
            assertThat(seen.headers())
                    .containsEntry("content-type", "application/strategic-merge-patch+json")
                    .containsEntry("accept", "application/json")
                    .containsEntry("authorization", "Bearer t")
                    .containsEntry("impersonate-user", "boss");
            assertThat(seen.headers().get("user-agent"))
                    .startsWith("kube-scheduler/v1.36.4 (")
                    .contains(") berth/")
                    .endsWith("/scheduler");
        }
    }

    @Test
    void requestsBeyondWhatAConnectionCarriesWaitForTheirTurn() throws Exception {
        var underWay = new AtomicInteger();
        var most = new AtomicInteger();
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                            Thread.sleep(20);
                            underWay.decrementAndGet();
                            answer.send(200, "{}");
                        });
                var client =
                        new ApiClient(
                                new Connection(
                                        server.uri(),
                                        Connection.Tls.DEFAULT,
                                        null,
                                        Credentials.bearer("t"),
                                        Map.of()),
                                ClientOptions.DEFAULT.withRate(-1, 0));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 3 * Lane.ORDINARY.mostAtOnce(); i++) {
                calls.add(callers.submit(() -> client.send(ApiRequest.get("/a")).code()));
            }
            for (var call : calls) {
                assertThat(call.get()).isEqualTo(200);
            }
        }
        assertThat(most.get()).isBetween(2, Lane.ORDINARY.mostAtOnce());
    }

    /// A backlog of status patches held up bindings, and the watches that had ended meanwhile.
    @Test
    @Tag("P-124")
    void aBacklogOfWhatMayBeLateHoldsUpNeitherBindingsNorWatches() throws Exception {
        var hanging = new CountDownLatch(Lane.LATE.mostAtOnce());
        var answered = new CountDownLatch(1);
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            if (request.path().equals("/late")) {
                                hanging.countDown();
                                answered.await();
                            }
                            answer.send(200, "{}");
                        });
                var client =
                        new ApiClient(
                                Connection.plain(server.uri()),
                                ClientOptions.DEFAULT.withRate(1, 2 * Lane.LATE.mostAtOnce()));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            // All connections of their lane are in use, and the rate is used up.
            var calls = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 2 * Lane.LATE.mostAtOnce() + 2; i++) {
                calls.add(callers.submit(() -> client.send(ApiRequest.get("/late").late()).code()));
            }
            hanging.await();
            client.open(ApiRequest.get("/watch")).close();
            assertThat(client.send(ApiRequest.get("/binding")).code()).isEqualTo(200);
            assertThat(calls).noneMatch(Future::isDone);
            answered.countDown();
            for (var call : calls) {
                assertThat(call.get()).isEqualTo(200);
            }
        }
    }

    @Test
    @Tag("P-127")
    void aServerThatIsSlowWithEverythingIsNotTakenForOneThatIsGone() throws Exception {
        var health = ClientOptions.DEFAULT.withHealth(Duration.ofMillis(200), Patience.LIMIT);
        var underWay = new CountDownLatch(Lane.ORDINARY.mostAtOnce());
        var tested = new CountDownLatch(1);
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            switch (request.path()) {
                                case "/quiet" -> answer.begin().piece("x").hang();
                                case "/slow" -> {
                                    underWay.countDown();
                                    tested.await();
                                    answer.send(200, "{}");
                                }
                                default -> {
                                    answer.send(200, "{}");
                                    tested.countDown();
                                }
                            }
                        });
                var client = new ApiClient(Connection.plain(server.uri()), health.withRate(-1, 0));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<Integer>>();
            for (int i = 0; i < Lane.ORDINARY.mostAtOnce(); i++) {
                calls.add(callers.submit(() -> client.send(ApiRequest.get("/slow")).code()));
            }
            underWay.await();
            // Its silence makes the client test the server while no request has a turn left.
            try (var stream = client.open(ApiRequest.get("/quiet"))) {
                var _ = callers.submit(() -> stream.readNBytes(2));
                for (var call : calls) {
                    assertThat(call.get()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void aStatusIsUnderstood() throws Exception {
        var failure =
                failure(
                        422,
                        """
                        {"kind":"Status","code":422,"reason":"Invalid","message":"no good","details":
                          {"retryAfterSeconds":3,"causes":[{"reason":"R","message":"M","field":"spec.x"}]}}
                        """);
        assertThat(failure.failure()).isEqualTo(Failure.ANSWERED);
        assertThat(failure.getMessage()).isEqualTo("no good");
        assertThat(failure.status())
                .isEqualTo(
                        new ApiStatus(
                                422,
                                "Invalid",
                                "no good",
                                List.of(new ApiStatus.Cause("R", "M", "spec.x")),
                                3));
    }

    @Test
    void anAnswerWithoutAStatusIsDescribed() throws Exception {
        var failure = failure(502, "<html>bad \"gateway\"</html>");
        assertThat(failure.code()).isEqualTo(502);
        assertThat(failure.reason()).isEqualTo("InternalError");
        assertThat(failure.getMessage())
                .isEqualTo(
                        "an error on the server (\"<html>bad \\\"gateway\\\"</html>\") has prevented"
                                + " the request from succeeding (get /x)");
        assertThat(failure(404, "").getMessage())
                .isEqualTo("the server could not find the requested resource (get /x)");
    }

    @Test
    @Tag("P-127")
    void aServerThatAsksToComeBackLaterIsAskedAgain() throws Exception {
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            switch (turn.incrementAndGet()) {
                                case 1 -> answer.send(429, "", "Retry-After", "0");
                                case 2 -> answer.send(503, "", "Retry-After", "0");
                                default -> answer.send(200, "fine");
                            }
                        });
                var client = client(server)) {
            assertThat(client.send(ApiRequest.get("/x")).text()).isEqualTo("fine");
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    @Tag("P-127")
    void aServerThatIsOnlyBusyIsLeftAloneInTheEnd() throws Exception {
        try (var server =
                        new ScriptedServer(
                                (request, answer) -> answer.send(429, "", "Retry-After", "0"));
                var client = client(server)) {
            var failure =
                    catchThrowableOfType(
                            ApiException.class, () -> client.send(ApiRequest.get("/x")));
            assertThat(failure.code()).isEqualTo(429);
            assertThat(server.requests()).hasSize(11);
        }
    }

    @Test
    void aCreationThatMayHaveHappenedIsNotRepeated() throws Exception {
        try (var server =
                        new ScriptedServer(
                                (request, answer) -> answer.send(503, "", "Retry-After", "0"));
                var client = client(server)) {
            var failure =
                    catchThrowableOfType(
                            ApiException.class,
                            () -> client.send(ApiRequest.create("/x", new byte[] {'{', '}'})));
            assertThat(failure.code()).isEqualTo(503);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    @Tag("P-126")
    void aTokenThatWasReplacedMeanwhileIsTriedOnce() throws Exception {
        var renewing =
                new Credentials() {
                    private String token = "old";

                    @Override
                    public String authorization() {
                        return token;
                    }

                    @Override
                    public void refused(@org.jspecify.annotations.Nullable String refused) {
                        token = "new";
                    }
                };
        try (var server =
                new ScriptedServer((request, answer) ->
                        answer.send(
                                "new".equals(request.headers().get("authorization")) ? 200 : 401,
                                ""))) {
            var connection =
                    new Connection(server.uri(), Connection.Tls.DEFAULT, null, renewing, Map.of());
            try (var client = new ApiClient(connection, ClientOptions.DEFAULT)) {
                assertThat(client.send(ApiRequest.get("/x")).code()).isEqualTo(200);
            }
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void noAnswerIsATimeoutEvenInTheMiddleOfTheBody() throws Exception {
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            if (request.path().equals("/silent")) {
                                answer.hang();
                            } else {
                                answer.begin().piece("half").hang();
                            }
                        });
                var client = client(server)) {
            for (var path : List.of("/silent", "/half")) {
                var failure =
                        catchThrowableOfType(
                                ApiException.class,
                                () ->
                                        client.send(
                                                ApiRequest.get(path)
                                                        .within(Duration.ofMillis(300))));
                assertThat(failure.failure()).isEqualTo(Failure.TIMEOUT);
                assertThat(failure)
                        .hasMessage(
                                "Get \"%s%s\": context deadline exceeded"
                                        .formatted(server.uri(), path));
            }
        }
    }

    @Test
    void aBrokenConnectionLeavesTheOutcomeOpen() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> {});
                var client = client(server)) {
            var failure =
                    catchThrowableOfType(
                            ApiException.class,
                            () -> client.send(ApiRequest.create("/x", new byte[] {'1'})));
            assertThat(failure.failure()).isEqualTo(Failure.BROKEN);
        }
    }

    @Test
    void aConnectionThatTheServerClosedWhileIdleCostsAReaderNothing() throws Exception {
        // Each answer keeps the connection open in words and closes it in fact.
        try (var server =
                        new ScriptedServer((request, answer) -> answer.begin().piece("{}").end());
                var client = client(server)) {
            assertThat(client.send(ApiRequest.get("/first")).text()).isEqualTo("{}");
            assertThat(client.send(ApiRequest.get("/second")).text()).isEqualTo("{}");
        }
    }

    /// What writes may have been carried out: whoever sent it has to find out.
    @Test
    void aConnectionThatTheServerClosedWhileIdleLeavesTheOutcomeOfAWriteOpen() throws Exception {
        var asked = new AtomicInteger();
        var writing = new CountDownLatch(1);
        // The second time it is asked the connection is chosen, and its body about to be sent.
        WriteGate telling =
                () -> {
                    if (asked.incrementAndGet() == 2) {
                        writing.countDown();
                    }
                    return Patience.LIMIT.toNanos();
                };
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            answer.begin().piece("{}").end();
                            writing.await();
                        });
                var client =
                        new ApiClient(
                                Connection.plain(server.uri()),
                                ClientOptions.DEFAULT.withRate(-1, 0),
                                telling)) {
            assertThat(client.send(ApiRequest.get("/first")).text()).isEqualTo("{}");
            var failure =
                    catchThrowableOfType(
                            ApiException.class,
                            () -> client.send(ApiRequest.create("/second", new byte[] {'1'})));
            assertThat(failure.failure()).isEqualTo(Failure.BROKEN);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void noServerIsUnreachable() throws Exception {
        try (var nobody = new HeldPort();
                var client = client(nobody.uri())) {
            var failure =
                    catchThrowableOfType(
                            ApiException.class, () -> client.send(ApiRequest.get("/x")));
            assertThat(failure.failure()).isEqualTo(Failure.UNREACHABLE);
            assertThat(failure)
                    .hasMessage(
                            "Get \"%s/x\": dial tcp 127.0.0.1:%d: connect: connection refused"
                                    .formatted(nobody.uri(), nobody.number()));
        }
    }

    @Test
    void aClosedClientEndsItsStreams() throws Exception {
        try (var server =
                new ScriptedServer((request, answer) -> answer.begin().piece("x").hang())) {
            var client = client(server);
            var stream = client.open(ApiRequest.get("/x"));
            assertThat(stream.read()).isEqualTo('x');
            var reading =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    stream.read();
                                } catch (IOException ended) {
                                    // As wanted.
                                }
                            });
            client.close();
            assertThat(reading.join(Patience.LIMIT)).isTrue();
            var failure =
                    catchThrowableOfType(
                            ApiException.class, () -> client.send(ApiRequest.get("/x")));
            assertThat(failure.failure()).isEqualTo(Failure.INTERRUPTED);
        }
    }

    private static ApiException failure(int code, String body) throws IOException {
        try (var server = new ScriptedServer((request, answer) -> answer.send(code, body));
                var client = client(server)) {
            return catchThrowableOfType(
                    ApiException.class, () -> client.send(ApiRequest.get("/x")));
        }
    }

    private static ApiClient client(ScriptedServer server) {
        return client(server.uri());
    }

    private static ApiClient client(URI server) {
        return new ApiClient(Connection.plain(server), ClientOptions.DEFAULT.withRate(-1, 0));
    }
}
