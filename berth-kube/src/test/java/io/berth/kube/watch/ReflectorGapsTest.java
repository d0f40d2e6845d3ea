package io.berth.kube.watch;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.kube.client.ClientOptions;
import io.berth.kube.testing.ScriptedServer;
import io.berth.kube.testing.ScriptedServer.Request;
import io.berth.testkit.HeldPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a reflector makes of a server that misbehaves in every known way once it is followed.
class ReflectorGapsTest extends ReflectorFixture {
    private static final Duration SHORT_IDLE = Duration.ofMillis(50);

    /// An Error of the feed, or of reading, ended the watch's thread: what it had told stayed in
    /// use, and nobody noticed.
    @Test
    @Tag("P-143")
    void anErrorIsSatOutLikeAnyTrouble() throws Exception {
        var server =
                serve((request, answer) ->
                        answer.begin().line(added("a", "u1", 5)).line(endOfInitial(7)).hang());
        var reflector = open(server, QUICK);
        feed.failWith(new StackOverflowError("simulated"));
        reflector.start();
        awaitNotes("+ns/a", "synced");
        assertThat(reflector.hasEnded()).isFalse();
    }

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

    /// An API server stores such a pod; to read its amount took minutes, in which nothing else came
    /// through.
    @Test
    void anAmountOfAMegabyteOfDigitsDoesNotHoldUpTheWatch() throws Exception {
        var server =
                serve((request, answer) ->
                        answer.begin()
                                .line(endOfInitial(2))
                                .line(
                                        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{"
                                                + "\"namespace\":\"ns\",\"name\":\"odd\","
                                                + "\"resourceVersion\":\"3\"},\"spec\":{\"containers\":"
                                                + "[{\"resources\":{\"requests\":{\"cpu\":\""
                                                + "9".repeat(1_000_000)
                                                + "\"}}}]}}}")
                                .line(added("b", "u2", 4))
                                .hang());
        reflect(server);
        awaitNotes("synced", "+ns/b");
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

    /// A quiet cluster's watches were cut, with an error in the log, since nothing told them from
    /// dead ones.
    @Test
    @Tag("P-127")
    void aQuietWatchIsLeftAloneWhereNothingHappened() throws Exception {
        var probes = new AtomicInteger();
        var server =
                serve((request, answer) -> {
                    if (!request.isWatch()) {
                        answer.send(200, "{}");
                    } else if (request.parameter("timeoutSeconds").equals("1")) {
                        probes.incrementAndGet();
                        answer.begin().end();
                    } else {
                        turn.incrementAndGet();
                        answer.begin().line(added("a", "u1", 5)).line(endOfInitial(7)).hang();
                    }
                });
        var reflector =
                open(server, QUICK, ClientOptions.DEFAULT.withHealth(SHORT_IDLE, SHORT_IDLE));
        reflector.start();
        await().until(() -> probes.get() >= 3);
        assertThat(turn).hasValue(1);
        assertThat(reflector.state().lastError()).isNull();
        assertThat(feed.notes()).containsExactly("+ns/a", "synced");
    }

    @Test
    @Tag("P-127")
    void aWatchThatKeepsSomethingToItselfIsOpenedAnewWithoutAnError() throws Exception {
        var server =
                serve((request, answer) -> {
                    if (!request.isWatch()) {
                        answer.send(200, "{}");
                    } else if (request.parameter("timeoutSeconds").equals("1")) {
                        answer.begin().line(added("b", "u2", 8)).end();
                    } else if (turn.incrementAndGet() == 1) {
                        answer.begin().line(added("a", "u1", 5)).line(endOfInitial(7)).hang();
                    } else {
                        answer.begin().line(added("b", "u2", 8)).hang();
                    }
                });
        var reflector =
                open(server, QUICK, ClientOptions.DEFAULT.withHealth(SHORT_IDLE, SHORT_IDLE));
        reflector.start();
        awaitNotes("+ns/a", "synced", "+ns/b");
        assertThat(reflector.state().lastError()).isNull();
        assertThat(reflector.state().lists()).isEqualTo(1);
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
