package io.berth.serving.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.serving.http.Call;
import io.berth.serving.http.Calls;
import io.berth.serving.http.NotedServerLog;
import io.berth.serving.http.Reply;
import io.berth.serving.http.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class DelegatedAuthorizationTest {
    private static final User JANE =
            new User("jane", "7", List.of("dev"), Map.of("b", List.of("2"), "a", List.of("1")));

    private final NotedServerLog log = new NotedServerLog(4);
    private FakeApi api;

    @BeforeEach
    void start() throws IOException {
        api = new FakeApi();
        api.accessStatus =
                spec ->
                        spec.at("/nonResourceAttributes/path").asText().equals("/metrics")
                                ? "{\"allowed\":true}"
                                : "{\"allowed\":false}";
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private DelegatedAuthorization delegated(AuthorizationSettings settings) {
        return new DelegatedAuthorization(
                settings, Optional.of(api.client()), AuthObserver.NONE, log);
    }

    private Reply get(User user, String target, String... headers) {
        return delegated(AuthorizationSettings.DEFAULT)
                .answer(Calls.get(target, headers).withUser(user), _ -> Reply.text(200, "ok"));
    }

    @Test
    @Tag("P-217")
    void defaultsAreThoseOfTheFlags() {
        AuthorizationSettings settings = AuthorizationSettings.DEFAULT;
        assertThat(settings.alwaysAllowPaths()).containsExactly("/healthz", "/readyz", "/livez");
        assertThat(settings.kubeconfig()).isEmpty();
        assertThat(settings.allowedTtl()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.deniedTtl()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.check()).isEmpty();
    }

    @Test
    @Tag("P-51")
    void starsMayOnlyComeLast() {
        var settings =
                new AuthorizationSettings(
                        List.of("/a*b", "*", "/x/*", "/*/y"),
                        Optional.empty(),
                        Duration.ZERO,
                        Duration.ZERO);
        assertThat(settings.check())
                .containsExactly(
                        "only trailing * allowed in \"a*b\"", "only trailing * allowed in \"*/y\"");
    }

    @Test
    @Tag("P-217")
    void administratorsMayDoEverything() {
        var admin = new User("root", "", List.of("system:masters"), Map.of());
        assertThat(get(admin, "/configz").status()).isEqualTo(200);
        assertThat(api.accessReviews).isEmpty();
    }

    @Test
    @Tag("P-217")
    @Tag("P-188")
    void openPathsAreOpenToEverybody() {
        assertThat(get(User.ANONYMOUS, "/healthz?verbose").status()).isEqualTo(200);
        assertThat(api.accessReviews).isEmpty();
        assertThat(get(User.ANONYMOUS, "/healthz/ping").status()).isEqualTo(403);

        var open =
                delegated(
                        new AuthorizationSettings(
                                List.of("debug/*"),
                                Optional.empty(),
                                Duration.ZERO,
                                Duration.ZERO));
        assertThat(open.answer(Calls.get("/debug/x"), _ -> Reply.text(200, "ok")).status())
                .isEqualTo(200);
        assertThat(open.answer(Calls.get("/healthz"), _ -> Reply.text(200, "ok")).status())
                .isEqualTo(403);
    }

    @Test
    @Tag("P-218")
    @Tag("P-302")
    void othersMayDoWhatTheApiServerAllows() {
        assertThat(get(JANE, "/metrics?x=y").status()).isEqualTo(200);
        assertThat(api.accessReviews)
                .singleElement()
                .hasToString(
                        "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                                + "\"spec\":{\"nonResourceAttributes\":{\"path\":\"/metrics\","
                                + "\"verb\":\"get\"},\"user\":\"jane\",\"groups\":[\"dev\"],"
                                + "\"extra\":{\"a\":[\"1\"],\"b\":[\"2\"]},\"uid\":\"7\"}}");
        delegated(AuthorizationSettings.DEFAULT)
                .answer(
                        Calls.call("PUT", "/debug/flags/v", "1").withUser(JANE),
                        _ -> Reply.text(200, "ok"));
        assertThat(api.accessReviews.getLast().at("/spec/nonResourceAttributes/verb").asText())
                .isEqualTo("put");
    }

    @Test
    @Tag("P-219")
    void refusalSaysWhoMayNotDoWhat() {
        Reply reply = get(User.ANONYMOUS, "/configz");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.headers())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("X-Content-Type-Options", "nosniff");
        assertThat(reply.text())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                + "\"status\":\"Failure\",\"message\":\"forbidden: User"
                                + " \\\"system:anonymous\\\" cannot get path \\\"/configz\\\"\","
                                + "\"reason\":\"Forbidden\",\"details\":{},\"code\":403}\n");
        assertThat(log.lines()).contains("I4 Forbidden [URI, /configz, reason, ]");
    }

    @Test
    @Tag("P-219")
    void refusalHasTheFormThatIsAskedFor() {
        String pretty =
                """
                {
                  "kind": "Status",
                  "apiVersion": "v1",
                  "metadata": {},
                  "status": "Failure",
                  "message": "forbidden: User \\"system:anonymous\\" cannot get path \\"/configz\\"",
                  "reason": "Forbidden",
                  "details": {},
                  "code": 403
                }\
                """;
        assertThat(get(User.ANONYMOUS, "/configz", "User-Agent", "curl/7.88.1").text())
                .isEqualTo(pretty);
        assertThat(get(User.ANONYMOUS, "/configz?pretty=true").text()).isEqualTo(pretty);
        assertThat(get(User.ANONYMOUS, "/configz", "Accept", "text/html").text()).isEqualTo(pretty);
        assertThat(get(User.ANONYMOUS, "/configz?pretty=0", "User-Agent", "curl/7").text())
                .hasLineCount(1);

        Reply yaml = get(User.ANONYMOUS, "/configz", "Accept", "application/yaml");
        assertThat(yaml.headers()).containsEntry("Content-Type", "application/yaml");
        assertThat(yaml.text())
                .isEqualTo(
                        """
                        apiVersion: v1
                        code: 403
                        details: {}
                        kind: Status
                        message: 'forbidden: User "system:anonymous" cannot get path "/configz"'
                        metadata: {}
                        reason: Forbidden
                        status: Failure
                        """);

        Reply binary =
                get(User.ANONYMOUS, "/configz", "Accept", "application/vnd.kubernetes.protobuf");
        assertThat(binary.body()).hasSize(130);
        assertThat(new String(binary.body(), StandardCharsets.ISO_8859_1))
                .startsWith("k8s\0\n\f\n\u0002v1\u0012\u0006Status\u0012j")
                .endsWith("0\u0093\u0003\u001a\0\"\0");
    }

    @Test
    @Tag("P-219")
    void refusalIsNoHtmlAndCarriesTheReason() {
        api.accessStatus = _ -> "{\"allowed\":false,\"denied\":true,\"reason\":\"no <way>\"}";
        assertThat(get(JANE, "/<b>&").text())
                .contains(
                        "User \\\"jane\\\" cannot get path"
                                + " \\\"/\\u0026lt;b\\u0026gt;\\u0026amp;\\\": no \\u003cway\\u003e");
    }

    @Test
    @Tag("P-218")
    void answersAreRememberedForAWhile() {
        var nanos = new AtomicLong();
        var settings =
                new AuthorizationSettings(
                        List.of(), Optional.empty(), Duration.ofSeconds(10), Duration.ofSeconds(5));
        var reviews = new AccessReviews(api.client(), settings, AuthObserver.NONE, nanos::get);
        for (int i = 0; i < 3; i++) {
            assertThat(reviews.ask(JANE, "get", "/metrics").allowed()).isTrue();
            assertThat(reviews.ask(JANE, "get", "/other").allowed()).isFalse();
        }
        assertThat(api.accessReviews).hasSize(2);
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        reviews.ask(JANE, "get", "/metrics");
        reviews.ask(JANE, "get", "/other");
        assertThat(api.accessReviews).hasSize(3);

        String tooLong = "/" + "x".repeat(10_000);
        reviews.ask(JANE, "get", tooLong);
        reviews.ask(JANE, "get", tooLong);
        assertThat(api.accessReviews).hasSize(5);
    }

    @Test
    @Tag("P-218")
    void failedQuestionIsAnInternalError() {
        api.failures.add(new FakeApi.Answer(403, FakeApi.status(403, "Forbidden")));
        Reply reply = get(JANE, "/a?b=<c>");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.text())
                .isEqualTo("Internal Server Error: \"/a?b=&lt;c&gt;\": Forbidden happened\n");
        assertThat(reply.headers()).containsEntry("Content-Type", "text/plain; charset=utf-8");

        api.accessStatus = _ -> "{\"allowed\":true,\"denied\":true}";
        assertThat(get(JANE, "/both").status()).isEqualTo(500);
    }

    @Test
    @Tag("P-217")
    void withoutAnybodyToAskOnlyOpenPathsAreOpen() {
        var alone =
                new DelegatedAuthorization(
                        AuthorizationSettings.DEFAULT, Optional.empty(), AuthObserver.NONE, log);
        Call metrics = Calls.get("/metrics").withUser(JANE);
        assertThat(alone.answer(metrics, _ -> Reply.text(200, "ok")).status()).isEqualTo(403);
        assertThat(log.lines())
                .contains(
                        "W No authorization-kubeconfig provided, so SubjectAccessReview of"
                                + " authorization tokens won't work.");
    }
}
