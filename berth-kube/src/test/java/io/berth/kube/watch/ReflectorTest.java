package io.berth.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a reflector makes of the beginnings that a server may offer.
class ReflectorTest extends ReflectorFixture {
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
}
