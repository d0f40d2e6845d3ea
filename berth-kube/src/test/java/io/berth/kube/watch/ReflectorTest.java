package io.berth.kube.watch;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.Connection;
import io.berth.kube.codec.Shared;
import io.berth.kube.testing.HeldPort;
import io.berth.kube.testing.NotedFeed;
import io.berth.kube.testing.ScriptedServer;
import io.berth.kube.testing.ScriptedServer.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a reflector makes of a server that misbehaves in every known way.
class ReflectorTest {
    private static final WatchTimes QUICK =
            new WatchTimes(
                    Duration.ofMillis(5),
                    Duration.ofMillis(20),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10));

    /// Tests connections that are silent, which the script of a server sees as requests.
    private static final ClientOptions HASTY =
            ClientOptions.DEFAULT.withHealth(Duration.ofMillis(200), Duration.ofSeconds(1));

    private static final String GONE =
            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
                    + "\"message\":\"too old resource version\"}}";

    private final NotedFeed feed = new NotedFeed();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    @AfterEach
    void closeAll() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    @Nested
    class InitialStream {
        @Test
        @Tag("P-140")
        void deliversObjectsAndIsSyncedAtTheEndBookmark() throws Exception {
            var server =
                    serve((request, answer) ->
                            answer.begin()
                                    .line(added("a", "u1", 5))
                                    .line(added("b", "u2", 6))
                                    .line(endOfInitial(7))
                                    .hang());
            var reflector = reflect(server);
            awaitNotes("+ns/a", "+ns/b", "synced");
            assertThat(reflector.state().synced()).isTrue();
            assertThat(reflector.state().resourceVersion()).isEqualTo("7");
            assertThat(reflector.state().objects()).isEqualTo(2);

            var request = server.requests().getFirst();
            assertThat(request.parameter("sendInitialEvents")).isEqualTo("true");
            assertThat(request.parameter("resourceVersionMatch")).isEqualTo("NotOlderThan");
            assertThat(request.parameter("allowWatchBookmarks")).isEqualTo("true");
            assertThat(request.parameter("resourceVersion")).isEmpty();
            assertThat(request.parameter("fieldSelector"))
                    .isEqualTo("status.phase!=Succeeded,status.phase!=Failed");
            assertThat(Integer.parseInt(request.parameter("timeoutSeconds"))).isBetween(5, 10);
        }

        @Test
        void anOrdinaryBookmarkDoesNotEndIt() throws Exception {
            var server =
                    serve((request, answer) ->
                            answer.begin()
                                    .line(added("a", "u1", 5))
                                    .line(bookmark(5))
                                    .line(added("b", "u2", 6))
                                    .line(endOfInitial(7))
                                    .hang());
            reflect(server);
            awaitNotes("+ns/a", "+ns/b", "synced");
        }

        @Test
        void anObjectDeletedWhileTheyArriveIsGone() throws Exception {
            var server =
                    serve((request, answer) ->
                            answer.begin()
                                    .line(added("a", "u1", 5))
                                    .line(event("DELETED", "a", "u1", 6))
                                    .line(endOfInitial(7))
                                    .hang());
            reflect(server);
            awaitNotes("+ns/a", "-ns/a", "synced");
        }

        @Test
        @Tag("P-140")
        void aServerThatRefusesItIsListedInstead() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (!request.parameter("sendInitialEvents").isEmpty()) {
                            answer.send(422, status(422, "Invalid", "forbidden for watch"));
                        } else if (request.isWatch()) {
                            answer.begin().line(added("b", "u2", 9)).hang();
                        } else {
                            answer.send(200, list(8, "", item("a", "u1", 5)));
                        }
                    });
            reflect(server);
            awaitNotes("+ns/a", "synced", "+ns/b");
            var list = server.requests().get(1);
            assertThat(list.parameter("resourceVersion")).isEqualTo("0");
            assertThat(list.parameter("limit")).isEqualTo("500");
            assertThat(server.requests().get(2).parameter("resourceVersion")).isEqualTo("8");
        }

        @Test
        @Tag("P-140")
        void aServerThatNeverEndsItIsListedInstead() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (request.isWatch()) {
                            answer.begin().line(added("a", "u1", 5)).hang();
                        } else {
                            answer.send(200, list(8, "", item("a", "u1", 5)));
                        }
                    });
            var impatient =
                    new WatchTimes(
                            QUICK.firstBackoff(),
                            QUICK.maxBackoff(),
                            QUICK.healthyAfter(),
                            QUICK.minWatch(),
                            QUICK.slack(),
                            Duration.ofMillis(200));
            reflect(server, impatient);
            awaitNotes("+ns/a", "synced");
        }
    }

    @Nested
    class Lists {
        @Test
        @Tag("P-141")
        void pagesAreFollowed() throws Exception {
            var server =
                    serve(
                            withoutInitialStream(request ->
                                    request.parameter("continue").isEmpty()
                                            ? list(8, "t1", item("a", "u1", 5))
                                            : list(8, "", item("b", "u2", 6))));
            reflect(server);
            awaitNotes("+ns/a", "+ns/b", "synced");
            assertThat(server.requests().get(2).parameter("continue")).isEqualTo("t1");
            assertThat(server.requests().get(2).parameter("resourceVersion")).isEmpty();
        }

        @Test
        @Tag("P-141")
        void anExpiredPageTokenStartsOverFromTheNewest() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (!request.parameter("sendInitialEvents").isEmpty()) {
                            answer.send(400, status(400, "BadRequest", "no"));
                        } else if (request.isWatch()) {
                            answer.begin().hang();
                        } else if (!request.parameter("continue").isEmpty()) {
                            answer.send(410, status(410, "Expired", "token too old"));
                        } else if (request.parameter("resourceVersion").equals("0")) {
                            answer.send(200, list(8, "t1", item("a", "u1", 5)));
                        } else {
                            answer.send(200, list(9, "", item("b", "u2", 9)));
                        }
                    });
            reflect(server);
            // The object of the first, abandoned list is not in the second one.
            awaitNotes("+ns/a", "+ns/b", "-ns/a", "synced");
        }
    }

    @Nested
    class Gaps {
        @Test
        @Tag("P-143")
        void aVeryShortWatchIsAnErrorAndPauses() throws Exception {
            var server =
                    serve((request, answer) -> {
                        switch (turn.incrementAndGet()) {
                            case 1 -> answer.begin().line(endOfInitial(7)).line(bookmark(8)).end();
                            case 2, 3 -> answer.begin().end();
                            case 4 -> answer.hang();
                            default -> throw new AssertionError("no fifth request");
                        }
                    });
            var reflector = reflect(server);
            await().until(() -> turn.get() == 4);
            assertThat(reflector.state().lastError())
                    .isEqualTo(
                            "very short watch: pods: Unexpected watch close - watch lasted less than"
                                    + " a second and no items received");
            assertThat(server.requests().getLast().parameter("resourceVersion")).isEqualTo("8");
        }

        @Test
        @Tag("P-147")
        void changesAreToldInTheOrderInWhichTheyHappened() throws Exception {
            var expected = new ArrayList<String>();
            expected.add("synced");
            var server =
                    serve((request, answer) -> {
                        var stream = answer.begin().line(endOfInitial(1));
                        for (int i = 1; i <= 100; i++) {
                            // Made anew under an old name, and gone again, among others.
                            stream.line(added("same", "u" + i, 3 * i))
                                    .line(added("other" + i, "o" + i, 3 * i + 1))
                                    .line(event("DELETED", "same", "u" + i, 3 * i + 2));
                        }
                        stream.hang();
                    });
            for (int i = 1; i <= 100; i++) {
                expected.addAll(List.of("+ns/same", "+ns/other" + i, "-ns/same"));
            }
            reflect(server);
            awaitNotes(expected.toArray(String[]::new));
        }

        @Test
        @Tag("P-140")
        void listsWhereStreamsAreSwitchedOff() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (request.isWatch()) {
                            answer.begin().hang();
                        } else {
                            answer.send(200, list(3, "", item("a", "u1", 2)));
                        }
                    });
            open(server, QUICK).listing().start();
            awaitNotes("+ns/a", "synced");
            assertThat(server.requests())
                    .allMatch(request -> request.parameter("sendInitialEvents").isEmpty());
        }

        @Test
        @Tag("P-142")
        @Tag("P-143")
        void aLostConnectionResumesFromTheLastVersion() throws Exception {
            var server =
                    serve((request, answer) -> {
                        switch (turn.incrementAndGet()) {
                            case 1 -> {
                                answer.begin()
                                        .line(added("a", "u1", 5))
                                        .line(endOfInitial(7))
                                        .line(bookmark(20))
                                        .line(added("b", "u2", 21));
                                awaitNote("+ns/b");
                            }
                            case 2 -> answer.begin().line(added("c", "u3", 22)).hang();
                            default -> answer.begin().hang();
                        }
                    });
            reflect(server);
            awaitNotes("+ns/a", "synced", "+ns/b", "+ns/c");
            assertThat(server.requests().get(1).parameter("resourceVersion")).isEqualTo("21");
            assertThat(server.requests().get(1).parameter("sendInitialEvents")).isEmpty();
        }

        @Test
        @Tag("P-136")
        @Tag("P-143")
        @Tag("P-146")
        void anExpiredVersionIsReadAnewAndOnlyDifferencesAreTold() throws Exception {
            var server =
                    serve((request, answer) -> {
                        switch (turn.incrementAndGet()) {
                            case 1 ->
                                    answer.begin()
                                            .line(added("same", "u1", 1))
                                            .line(added("changed", "u2", 2))
                                            .line(added("vanished", "u3", 3))
                                            .line(added("reborn", "u4", 4))
                                            .line(endOfInitial(5))
                                            .line(GONE)
                                            .end();
                            case 2 ->
                                    answer.begin()
                                            .line(added("same", "u1", 1))
                                            .line(added("changed", "u2", 12))
                                            .line(added("reborn", "u5", 14))
                                            .line(endOfInitial(15))
                                            .hang();
                            default -> answer.begin().hang();
                        }
                    });
            reflect(server);
            awaitNotes(
                    "+ns/same",
                    "+ns/changed",
                    "+ns/vanished",
                    "+ns/reborn",
                    "synced",
                    "+ns/changed",
                    "-ns/reborn",
                    "+ns/reborn",
                    "-ns/vanished");
        }

        @Test
        @Tag("P-143")
        void anExpiredVersionAsHttpStatusIsReadAnewToo() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (!request.parameter("sendInitialEvents").isEmpty()) {
                            int name = turn.incrementAndGet();
                            answer.begin()
                                    .line(added("a" + name, "u" + name, name))
                                    .line(endOfInitial(10 * name));
                            awaitNote("+ns/a" + name);
                            awaitNote("synced");
                            if (name > 1) {
                                answer.hang();
                            }
                        } else {
                            answer.send(410, status(410, "Gone", "too old"));
                        }
                    });
            reflect(server);
            awaitNotes("+ns/a1", "synced", "+ns/a2", "-ns/a1");
        }

        @Test
        void brokenJsonIsReadAnew() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (turn.incrementAndGet() == 1) {
                            answer.begin()
                                    .line(added("a", "u1", 1))
                                    .line(endOfInitial(2))
                                    .line("{\"type\":\"ADDED\",!!!}")
                                    .end();
                        } else {
                            answer.begin()
                                    .line(added("a", "u1", 1))
                                    .line(added("b", "u2", 3))
                                    .line(endOfInitial(4))
                                    .hang();
                        }
                    });
            reflect(server);
            awaitNotes("+ns/a", "synced", "+ns/b");
            assertThat(server.requests().get(1).parameter("sendInitialEvents")).isEqualTo("true");
        }

        @Test
        void anEventThatCannotBeReadIsPassedOver() throws Exception {
            var server =
                    serve((request, answer) ->
                            answer.begin()
                                    .line(endOfInitial(2))
                                    .line(
                                            "{\"type\":\"ADDED\",\"object\":{\"metadata\":{"
                                                    + "\"namespace\":\"ns\",\"name\":\"odd\","
                                                    + "\"resourceVersion\":\"3\"},\"spec\":"
                                                    + "{\"containers\":[{\"name\":7}]}}}")
                                    .line("{\"type\":\"NEWTYPE\",\"object\":{\"a\":[1]}}")
                                    .line(added("b", "u2", 4))
                                    .hang());
            var reflector = reflect(server);
            awaitNotes("synced", "+ns/b");
            assertThat(reflector.state().lastError()).isNull();
            assertThat(server.requests()).hasSize(1);
        }

        @Test
        @Tag("P-143")
        void aServerThatIsAwayForAWhileIsFoundAgain() throws Exception {
            var port = new HeldPort();
            open.add(port);
            var server =
                    new ScriptedServer(
                            port.listen(),
                            (request, answer) ->
                                    answer.begin()
                                            .line(added("a", "u1", 5))
                                            .line(endOfInitial(7))
                                            .hang());
            open.add(server);
            var reflector = reflect(server);
            awaitNotes("+ns/a", "synced");
            server.close();
            await().until(() -> {
                String error = reflector.state().lastError();
                return error != null && error.contains("connection refused");
            });
            var again =
                    new ScriptedServer(
                            port.listen(),
                            (request, answer) -> {
                                assertThat(request.parameter("resourceVersion")).isEqualTo("7");
                                answer.begin().line(added("b", "u2", 8)).hang();
                            });
            open.add(again);
            awaitNotes("+ns/a", "synced", "+ns/b");
            assertThat(again.failures()).isEmpty();
            assertThat(reflector.state().lastError()).isNull();
        }

        @Test
        @Tag("P-143")
        void refusalsAndErrorsAreSatOut() throws Exception {
            var server =
                    serve((request, answer) -> {
                        switch (turn.incrementAndGet()) {
                            case 1 -> answer.send(429, status(429, "TooManyRequests", "x"));
                            case 2 -> answer.send(500, "oops");
                            case 3 -> answer.send(503, status(503, "", "starting"));
                            case 4 -> answer.send(401, status(401, "Unauthorized", "who?"));
                            default ->
                                    answer.begin()
                                            .line(added("a", "u1", 5))
                                            .line(endOfInitial(7))
                                            .hang();
                        }
                    });
            reflect(server);
            awaitNotes("+ns/a", "synced");
        }

        @Test
        @Tag("P-127")
        void aConnectionThatFallsSilentIsCutAndResumed() throws Exception {
            var server =
                    serve((request, answer) -> {
                        if (turn.incrementAndGet() == 1) {
                            // Not even the end that was asked for comes.
                            answer.begin().line(added("a", "u1", 5)).line(endOfInitial(7)).hang();
                        } else {
                            answer.begin().line(added("b", "u2", 8)).hang();
                        }
                    });
            var impatient =
                    new WatchTimes(
                            QUICK.firstBackoff(),
                            QUICK.maxBackoff(),
                            QUICK.healthyAfter(),
                            Duration.ofSeconds(1),
                            Duration.ofMillis(100),
                            QUICK.initialSilence());
            open(server, impatient, HASTY).start();
            awaitNotes("+ns/a", "synced", "+ns/b");
            var watches = server.requests().stream().filter(Request::isWatch).toList();
            assertThat(watches.get(1).parameter("resourceVersion")).isEqualTo("7");
        }

        @Test
        void aBrokenInitialStreamReportsNoDeletions() throws Exception {
            var server =
                    serve((request, answer) -> {
                        switch (turn.incrementAndGet()) {
                            case 1 ->
                                    answer.begin()
                                            .line(added("a", "u1", 1))
                                            .line(added("b", "u2", 2))
                                            .line(endOfInitial(5))
                                            .line(GONE)
                                            .end();
                            // Breaks off after one of the two.
                            case 2 -> {
                                answer.begin().line(added("a", "u1", 1));
                                answer.line(added("c", "u3", 8));
                                awaitNote("+ns/c");
                            }
                            case 3 ->
                                    answer.send(
                                            200,
                                            list(
                                                    9,
                                                    "",
                                                    item("a", "u1", 1),
                                                    item("b", "u2", 2),
                                                    item("c", "u3", 8),
                                                    item("d", "u4", 9)));
                            default -> answer.begin().hang();
                        }
                    });
            reflect(server);
            awaitNotes("+ns/a", "+ns/b", "synced", "+ns/c", "+ns/d");
            assertThat(server.requests().get(2).isWatch()).isFalse();
        }
    }

    @Test
    void somethingElseThanAListDoesNotMakeObjectsDisappear() throws Exception {
        var server =
                serve((request, answer) -> {
                    switch (turn.incrementAndGet()) {
                        case 1 -> {
                            answer.begin()
                                    .line(added("a", "u1", 1))
                                    .line(endOfInitial(5))
                                    .line(GONE)
                                    .end();
                        }
                        case 2 -> answer.send(400, status(400, "BadRequest", "no"));
                        case 3 -> answer.send(200, "{\"login\":\"required\"}");
                        case 4 ->
                                answer.send(
                                        200, list(9, "", item("a", "u1", 1), item("b", "u2", 8)));
                        default -> answer.begin().hang();
                    }
                });
        reflect(server);
        awaitNotes("+ns/a", "synced", "+ns/b");
    }

    @Test
    void closesPromptlyWhileAWatchIsSilent() throws Exception {
        var server = serve((request, answer) -> answer.begin().line(endOfInitial(2)).hang());
        var reflector = reflect(server);
        awaitNotes("synced");
        assertThat(reflector.hasEnded()).isFalse();
        reflector.close();
        assertThat(reflector.hasEnded()).isTrue();
    }

    private interface Lister {
        String list(Request request);
    }

    private static ScriptedServer.Script withoutInitialStream(Lister lister) {
        return (request, answer) -> {
            if (!request.parameter("sendInitialEvents").isEmpty()) {
                answer.send(400, status(400, "BadRequest", "no"));
            } else if (request.isWatch()) {
                answer.begin().hang();
            } else {
                answer.send(200, lister.list(request));
            }
        };
    }

    private ScriptedServer serve(ScriptedServer.Script script) throws IOException {
        var server = new ScriptedServer(script);
        open.add(server);
        return server;
    }

    private Reflector reflect(ScriptedServer server) {
        return reflect(server, QUICK);
    }

    private Reflector reflect(ScriptedServer server, WatchTimes times) {
        var reflector = open(server, times);
        reflector.start();
        return reflector;
    }

    private Reflector open(ScriptedServer server, WatchTimes times) {
        return open(server, times, ClientOptions.DEFAULT);
    }

    private Reflector open(ScriptedServer server, WatchTimes times, ClientOptions health) {
        var options = health.withRate(-1, 0);
        var client = new ApiClient(Connection.plain(server.uri()), options);
        open.add(client);
        var reflector =
                new Reflector(
                        client, Resource.of(Kind.POD), feed, new Shared(), times, new Random(1));
        open.add(reflector);
        return reflector;
    }

    /// What arrived just before a connection breaks may be lost with it, so scripts that break one
    /// wait until the client has read.
    private void awaitNote(String note) {
        await().until(() -> feed.notes().contains(note));
    }

    private void awaitNotes(String... notes) {
        await().untilAsserted(() -> assertThat(feed.notes()).containsExactly(notes));
    }

    private static String item(String name, String uid, int version) {
        return ("{\"metadata\":{\"namespace\":\"ns\",\"name\":\"%s\",\"uid\":\"%s\","
                        + "\"resourceVersion\":\"%d\"},\"spec\":{},\"status\":{}}")
                .formatted(name, uid, version);
    }

    private static String event(String type, String name, String uid, int version) {
        return "{\"type\":\"" + type + "\",\"object\":" + item(name, uid, version) + "}";
    }

    private static String added(String name, String uid, int version) {
        return event("ADDED", name, uid, version);
    }

    private static String bookmark(int version) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":"
                + "{\"resourceVersion\":\""
                + version
                + "\"}}}";
    }

    private static String endOfInitial(int version) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":"
                + "{\"resourceVersion\":\""
                + version
                + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}";
    }

    private static String list(int version, @Nullable String next, String... items) {
        return "{\"kind\":\"PodList\",\"items\":["
                + String.join(",", items)
                + "],\"metadata\":{\"resourceVersion\":\""
                + version
                + "\",\"continue\":\""
                + next
                + "\"}}";
    }

    private static String status(int code, String reason, String message) {
        return "{\"kind\":\"Status\",\"code\":%d,\"reason\":\"%s\",\"message\":\"%s\"}"
                .formatted(code, reason, message);
    }
}
