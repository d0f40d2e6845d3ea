package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class HandlerChainTest {
    private final NotedServerLog log = new NotedServerLog(3);

    private Endpoint chain(Endpoint pages) {
        return HandlerChain.secure(
                pages,
                (call, inner) -> inner.answer(call),
                (call, inner) -> inner.answer(call),
                log);
    }

    @Test
    @Tag("P-176")
    void authenticationComesBeforeAuthorizationBeforePages() {
        var seen = new ArrayList<String>();
        Filter authentication =
                (call, inner) -> {
                    seen.add("authentication");
                    return inner.answer(call);
                };
        Filter authorization =
                (call, inner) -> {
                    seen.add("authorization");
                    return Reply.error(403, "no");
                };
        Endpoint chain = HandlerChain.secure(new Mux(), authentication, authorization, log);

        Reply reply = chain.answer(Calls.get("/unknown"));

        assertThat(seen).containsExactly("authentication", "authorization");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.headers()).containsEntry("Cache-Control", "no-cache, private");
    }

    @Test
    @Tag("P-178")
    void mistakeBecomesA500ThatIsLogged() {
        Reply reply =
                chain(
                                _ -> {
                                    throw new IllegalStateException("boom");
                                })
                        .answer(Calls.get("/x?y"));

        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.text())
                .isEqualTo(
                        "This request caused kube-scheduler to panic. Look in the logs for"
                                + " details.\n");
        assertThat(log.lines())
                .contains("E kube-scheduler panic'd: boom [method, GET, URI, /x?y, auditID, ]")
                .anyMatch(line -> line.startsWith("I3 HTTP") && line.contains("resp, 500"))
                .anyMatch(line -> line.contains("statusStack") && line.contains("boom"));
    }

    @Test
    @Tag("P-179")
    void everyCallIsLoggedAtVerbosityThree() {
        chain(_ -> Reply.text(200, "ok")).answer(Calls.get("/a?b=c", "User-Agent", "me"));
        assertThat(log.lines())
                .singleElement()
                .asString()
                .matches(
                        "I3 HTTP \\[verb, GET, URI, /a\\?b=c, latency, PT.*S, userAgent, me,"
                                + " audit-ID, , srcIP, 127.0.0.1:4711, resp, 200]");

        var quiet = new NotedServerLog(2);
        HandlerChain.secure(
                        _ -> Reply.text(200, "ok"),
                        (call, inner) -> inner.answer(call),
                        (call, inner) -> inner.answer(call),
                        quiet)
                .answer(Calls.get("/"));
        assertThat(quiet.lines()).isEmpty();
    }

    @Test
    @Tag("P-179")
    void unexpectedErrorsAreLoggedWithTheirText() {
        chain(_ -> Reply.error(500, "disk full")).answer(Calls.get("/"));
        chain(_ -> Reply.error(500, "unwell").asExpected()).answer(Calls.get("/"));
        assertThat(log.lines().get(0)).contains("addedInfo, disk full");
        assertThat(log.lines().get(1)).doesNotContain("addedInfo");
    }

    @Test
    @Tag("P-180")
    void repliesAreNotCachedUnlessTheySaySo() {
        assertThat(chain(_ -> Reply.text(200, "")).answer(Calls.get("/")).headers())
                .containsEntry("Cache-Control", "no-cache, private");
        assertThat(
                        chain(_ -> Reply.text(200, "").with("cache-control", "public"))
                                .answer(Calls.get("/"))
                                .headers())
                .containsEntry("Cache-Control", "public");
    }

    @Test
    @Tag("P-181")
    void verbIsTheMethodInLowerCase() {
        assertThat(Calls.call("PUT", "/debug/flags/v", "").verb()).isEqualTo("put");
    }

    @Test
    @Tag("P-177")
    void portWithoutAuthenticationSaysSo() {
        Endpoint chain = HandlerChain.insecure(_ -> Reply.text(200, "ok"), log);
        assertThat(log.lines())
                .containsExactlyInAnyOrder(
                        "W Authentication is disabled", "W Authorization is disabled");
        assertThat(chain.answer(Calls.get("/")).text()).isEqualTo("ok");
    }

    @Test
    @Tag("P-183")
    void exactPathGoesBeforeTheLongestPrefix() {
        var mux =
                new Mux()
                        .page("/a", _ -> Reply.text(200, "a"))
                        .unlistedPrefix("/a/", _ -> Reply.text(200, "a/"))
                        .unlistedPrefix("/a/b/", _ -> Reply.text(200, "a/b/"))
                        .page("/a/b/c", _ -> Reply.text(200, "c"));
        List<String> answers =
                List.of("/a", "/a/", "/a/x", "/a/b/", "/a/b/c", "/a/b/c/").stream()
                        .map(path -> mux.answer(Calls.get(path)).text())
                        .toList();
        assertThat(answers).containsExactly("a", "a/", "a/", "a/b/", "c", "a/b/");

        Reply unknown = mux.answer(Calls.get("/"));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.text()).isEqualTo("404 page not found\n");
        assertThat(unknown.headers())
                .containsEntry("Content-Type", "text/plain; charset=utf-8")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }
}
