package io.berth.serving.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.kube.connection.ConfigException;
import io.berth.serving.http.Call;
import io.berth.serving.http.Calls;
import io.berth.serving.http.NotedServerLog;
import io.berth.serving.http.Reply;
import io.berth.serving.http.TestAuthority;
import io.berth.serving.http.TestAuthority.Issued;
import io.berth.serving.http.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DelegatedAuthenticationTest {
    /// Files whose changes went unnoticed are looked at once a minute.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String JANE =
            "{\"authenticated\":true,\"user\":{\"username\":\"jane\",\"uid\":\"7\",\"groups\":[\"dev\"],"
                    + "\"extra\":{\"k\":[\"v\"]}}}";

    private final TestAuthority clients = new TestAuthority("clients");
    private final TestAuthority proxies = new TestAuthority("proxies");
    private final NotedServerLog log = new NotedServerLog(4);
    private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
    private FakeApi api;
    @TempDir private Path folder;

    @BeforeEach
    void start() throws IOException {
        api = new FakeApi();
        api.tokenStatus = token -> token.equals("good") ? JANE : "{\"user\":{}}";
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private DelegatedAuthentication delegated(AuthenticationSettings settings) {
        var authentication =
                new DelegatedAuthentication(
                        settings,
                        Optional.of(api.client()),
                        DelegatedAuthentication.Gates.DEFAULT,
                        AuthObserver.NONE,
                        log);
        authentication.start();
        return authentication;
    }

    private Reply answer(DelegatedAuthentication authentication, Call call) {
        seen.set(null);
        return authentication.answer(
                call,
                inner -> {
                    seen.set(inner);
                    return Reply.text(200, "ok");
                });
    }

    private User user(DelegatedAuthentication authentication, Call call) {
        Reply reply = answer(authentication, call);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return lastCall().user().orElseThrow();
    }

    private Call lastCall() {
        return java.util.Objects.requireNonNull(seen.get());
    }

    private static Call bearer(String token) {
        return Calls.get("/metrics", "Authorization", "Bearer " + token);
    }

    private String configMap() {
        ObjectNode map = Reviews.JSON.createObjectNode();
        map.putObject("metadata").put("resourceVersion", "2");
        map.putObject("data")
                .put("client-ca-file", clients.pem())
                .put("requestheader-client-ca-file", proxies.pem())
                .put("requestheader-username-headers", "[\"X-Remote-User\"]")
                .put("requestheader-uid-headers", "[\"X-Remote-Uid\"]")
                .put("requestheader-group-headers", "[\"X-Remote-Group\"]")
                .put("requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]")
                .put("requestheader-allowed-names", "[\"front-proxy\"]");
        return map.toString();
    }

    @Nested
    final class Anybody {
        @Test
        @Tag("P-210")
        @Tag("P-211")
        void isAnonymousWhereNobodyCanBeAsked() {
            try (var authentication =
                    new DelegatedAuthentication(
                            AuthenticationSettings.DEFAULT,
                            Optional.empty(),
                            DelegatedAuthentication.Gates.DEFAULT,
                            AuthObserver.NONE,
                            log)) {
                assertThat(user(authentication, bearer("anything"))).isEqualTo(User.ANONYMOUS);
                assertThat(authentication.areConfigured()).isFalse();
            }
            assertThat(log.lines())
                    .containsExactly(
                            "W No authentication-kubeconfig provided in order to lookup"
                                    + " client-ca-file in configmap/extension-apiserver-authentication"
                                    + " in kube-system, so client certificate authentication won't"
                                    + " work.",
                            "W No authentication-kubeconfig provided in order to lookup"
                                    + " requestheader-client-ca-file in"
                                    + " configmap/extension-apiserver-authentication in kube-system, so"
                                    + " request-header client certificate authentication won't work.");
        }

        @Test
        @Tag("P-211")
        void isAnonymousWithoutCredentials() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                User user = user(authentication, Calls.get("/healthz"));
                assertThat(user.name()).isEqualTo("system:anonymous");
                assertThat(user.groups()).containsExactly("system:unauthenticated");
            }
        }

        @Test
        @Tag("P-182")
        void mayNotKeepAnHttp2Connection() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call = Calls.from(Calls.get("/healthz"), true);
                assertThat(answer(authentication, call).headers())
                        .containsEntry("Connection", "close");
                assertThat(answer(authentication, Calls.from(bearer("bad"), true)).headers())
                        .containsEntry("Connection", "close");
                assertThat(answer(authentication, Calls.from(bearer("good"), true)).headers())
                        .doesNotContainKey("Connection");
                assertThat(answer(authentication, Calls.get("/healthz")).headers())
                        .doesNotContainKey("Connection");
            }
        }
    }

    @Nested
    final class Bearers {
        @Test
        @Tag("P-216")
        @Tag("P-211")
        void areWhoTheApiServerSays() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call = Calls.get("/x", "Authorization", "  bEaReR good");
                assertThat(user(authentication, call))
                        .isEqualTo(
                                new User(
                                        "jane",
                                        "7",
                                        List.of("dev", "system:authenticated"),
                                        Map.of("k", List.of("v"))));
                assertThat(lastCall().headers()).doesNotContainKey("Authorization");
            }
            assertThat(api.tokenReviews)
                    .singleElement()
                    .hasToString(
                            "{\"kind\":\"TokenReview\",\"apiVersion\":\"authentication.k8s.io/v1\","
                                    + "\"spec\":{\"token\":\"good\"}}");
        }

        @Test
        @Tag("P-211")
        @Tag("P-219")
        void withAWrongTokenAreRefused() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Reply reply = answer(authentication, bearer("bad"));
                assertThat(reply.status()).isEqualTo(401);
                assertThat(reply.text())
                        .isEqualTo(
                                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                        + "\"status\":\"Failure\",\"message\":\"Unauthorized\","
                                        + "\"reason\":\"Unauthorized\",\"code\":401}\n");
                assertThat(seen.get()).isNull();
                assertThat(log.lines())
                        .contains(
                                "E Unable to authenticate the request [err, invalid bearer token]");
            }
        }

        @Test
        @Tag("P-216")
        void withoutATokenAreAnonymous() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                for (String header : List.of("Bearer", "Bearer ", "Bearer  good", "Basic abc")) {
                    Call call = Calls.get("/x", "Authorization", header);
                    assertThat(user(authentication, call)).isEqualTo(User.ANONYMOUS);
                }
            }
            assertThat(api.tokenReviews).isEmpty();
        }

        @Test
        @Tag("P-211")
        void inABrowserHideTheirTokenAmongProtocols() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                String hidden = "base64url.bearer.authorization.k8s.io.Z29vZA";
                assertThat(user(authentication, webSocket(hidden + ", v4.k8s")).name())
                        .isEqualTo("jane");
                assertThat(answer(authentication, webSocket(hidden)).status()).isEqualTo(401);
                assertThat(user(authentication, webSocket("v4.k8s"))).isEqualTo(User.ANONYMOUS);
            }
        }

        private Call webSocket(String protocols) {
            return Calls.get(
                    "/x",
                    "Upgrade",
                    "websocket",
                    "Connection",
                    "Upgrade",
                    "Sec-WebSocket-Protocol",
                    protocols);
        }

        @Test
        @Tag("P-216")
        void areRememberedForAWhileGoodAndBadAlike() {
            var nanos = new AtomicLong();
            var tokens =
                    new Tokens(api.client(), Duration.ofSeconds(10), AuthObserver.NONE, nanos::get);
            for (int i = 0; i < 3; i++) {
                tokens.owner("good");
                tokens.owner("bad");
            }
            assertThat(api.tokenReviews).hasSize(2);
            nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            tokens.owner("good");
            assertThat(api.tokenReviews).hasSize(3);
        }

        @Test
        @Tag("P-216")
        void errorsAndZeroAreNotRemembered() {
            var tokens =
                    new Tokens(api.client(), Duration.ofSeconds(10), AuthObserver.NONE, () -> 0);
            api.tokenStatus = _ -> "{\"authenticated\":false,\"error\":\"token expired\"}";
            tokens.owner("x");
            assertThat(tokens.owner("x"))
                    .isEqualTo(new Authenticator.Verdict.Failed("token expired"));
            assertThat(api.tokenReviews).hasSize(2);

            var forgetful = new Tokens(api.client(), Duration.ZERO, AuthObserver.NONE, () -> 0);
            api.tokenStatus = _ -> JANE;
            forgetful.owner("x");
            forgetful.owner("x");
            assertThat(api.tokenReviews).hasSize(4);
        }

        @Test
        @Tag("P-216")
        void thatComeTogetherShareOneQuestion() throws Exception {
            var asked = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            api.tokenStatus =
                    _ -> {
                        asked.countDown();
                        try {
                            go.await();
                        } catch (InterruptedException stop) {
                            Thread.currentThread().interrupt();
                        }
                        return JANE;
                    };
            var tokens =
                    new Tokens(api.client(), Duration.ofSeconds(10), AuthObserver.NONE, () -> 0);
            var first =
                    CompletableFuture.supplyAsync(
                            () -> tokens.owner("same"), Thread::startVirtualThread);
            asked.await();
            var second =
                    CompletableFuture.supplyAsync(
                            () -> tokens.owner("same"), Thread::startVirtualThread);
            go.countDown();
            assertThat(second.get()).isEqualTo(first.get());
            assertThat(api.tokenReviews).hasSize(1);
        }

        @Test
        @Tag("P-216")
        void passingTroubleIsTriedAgain() {
            api.failures.add(new FakeApi.Answer(500, FakeApi.status(500, "InternalError")));
            api.failures.add(new FakeApi.Answer(429, FakeApi.status(429, "TooManyRequests")));
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                assertThat(user(authentication, bearer("good")).name()).isEqualTo("jane");
                assertThat(api.tokenReviews).hasSize(3);

                api.failures.add(new FakeApi.Answer(403, FakeApi.status(403, "Forbidden")));
                assertThat(answer(authentication, bearer("other")).status()).isEqualTo(401);
                assertThat(log.lines()).anyMatch(line -> line.contains("Forbidden happened"));
            }
        }
    }

    @Nested
    final class CertificateHolders {
        @Test
        @Tag("P-215")
        @Tag("P-212")
        void areWhoTheirCertificateSays() {
            api.configMap = new FakeApi.Answer(200, configMap());
            Issued jane = clients.client("1.3.6.1.4.1.57683.2=uid-1,O=admins,O=dev,CN=jane");
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call = Calls.from(Calls.get("/x"), false, jane.certificate());
                User user = user(authentication, call);
                assertThat(user.name()).isEqualTo("jane");
                assertThat(user.uid()).isEqualTo("uid-1");
                assertThat(user.groups()).containsExactly("admins", "dev", "system:authenticated");
                assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
                        .singleElement()
                        .asString()
                        .matches("X509SHA256=[0-9a-f]{64}");
                assertThat(authentication.areConfigured()).isTrue();
                assertThat(authentication.current())
                        .containsExactlyInAnyOrder(clients.certificate(), proxies.certificate());
            }
        }

        @Test
        @Tag("P-215")
        void withABadCertificateAreRefused() {
            api.configMap = new FakeApi.Answer(200, configMap());
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                var stranger = new TestAuthority("strangers").client("CN=jane");
                assertRefused(authentication, stranger, "signed by unknown authority");
                assertRefused(authentication, clients.expiredClient("CN=jane"), "has expired");
                assertRefused(authentication, clients.server("CN=jane"), "incompatible key usage");
                assertThat(log.lines())
                        .anyMatch(line ->
                                line.contains(
                                        "verifying certificate SN="
                                                + stranger.certificate().getSerialNumber()
                                                + ", SKID=, AKID= failed: x509: certificate signed by"
                                                + " unknown authority"));
            }
        }

        private void assertRefused(
                DelegatedAuthentication authentication, Issued issued, String reason) {
            Call call = Calls.from(Calls.get("/x"), false, issued.certificate());
            assertThat(answer(authentication, call).status()).isEqualTo(401);
            assertThat(log.lines().getLast()).contains(reason);
        }

        @Test
        @Tag("P-215")
        void withoutACommonNameAreAnonymous() {
            api.configMap = new FakeApi.Answer(200, configMap());
            // A proxy's list would refuse the certificate before its name is looked for.
            var settings = withClientFile();
            Call call = Calls.from(Calls.get("/x"), false, clients.client("O=only").certificate());
            try (var authentication = delegated(settings)) {
                assertThat(user(authentication, call)).isEqualTo(User.ANONYMOUS);
            }
        }

        @Test
        @Tag("P-212")
        @Tag("P-173")
        void areJudgedByTheFileAsItIsNow() throws IOException {
            var settings = withClientFile();
            var later = new TestAuthority("later");
            Call early = Calls.from(Calls.get("/x"), false, clients.client("CN=a").certificate());
            Call late = Calls.from(Calls.get("/x"), false, later.client("CN=b").certificate());
            try (var authentication = delegated(settings)) {
                assertThat(user(authentication, early).name()).isEqualTo("a");
                assertThat(answer(authentication, late).status()).isEqualTo(401);

                Files.writeString(folder.resolve("ca.crt"), later.pem());
                await().atMost(PATIENCE).until(() -> answer(authentication, late).status() == 200);
                assertThat(answer(authentication, early).status()).isEqualTo(401);
                Files.writeString(folder.resolve("ca.crt"), "nonsense");
                await().atMost(PATIENCE)
                        .until(() ->
                                log.lines().stream()
                                        .anyMatch(line ->
                                                line.startsWith("E Reloading authorities")));
                assertThat(user(authentication, late).name()).isEqualTo("b");
            }
        }

        private AuthenticationSettings withClientFile() {
            try {
                Path file = Files.writeString(folder.resolve("ca.crt"), clients.pem());
                return new AuthenticationSettings(
                        Optional.empty(),
                        true,
                        Duration.ofSeconds(10),
                        true,
                        Optional.of(file),
                        AuthenticationSettings.RequestHeader.DEFAULT);
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        }

        @Test
        @Tag("P-52")
        void needAReadableFile() {
            var settings =
                    new AuthenticationSettings(
                            Optional.empty(),
                            true,
                            Duration.ofSeconds(10),
                            true,
                            Optional.of(folder.resolve("missing")),
                            AuthenticationSettings.RequestHeader.DEFAULT);
            assertThatThrownBy(() -> delegated(settings))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("unable to load client CA provider: ");
        }
    }

    @Nested
    final class BehindAProxy {
        private Call said(Issued proxy, String... headers) {
            return Calls.from(Calls.get("/x", headers), false, proxy.certificate());
        }

        @Test
        @Tag("P-214")
        @Tag("P-212")
        void areWhoTheProxySays() {
            api.configMap = new FakeApi.Answer(200, configMap());
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call =
                        said(
                                proxies.client("CN=front-proxy"),
                                "x-remote-user",
                                "jane",
                                "X-Remote-Uid",
                                "9",
                                "X-Remote-Group",
                                "a",
                                "X-Remote-Group",
                                "b",
                                "X-Remote-Extra-Acme.com%2FProject",
                                "p",
                                "X-Other",
                                "kept");
                assertThat(user(authentication, call))
                        .isEqualTo(
                                new User(
                                        "jane",
                                        "9",
                                        List.of("a", "b", "system:authenticated"),
                                        Map.of("acme.com/project", List.of("p"))));
                assertThat(lastCall().headers()).containsOnlyKeys("X-Other");
            }
        }

        @Test
        @Tag("P-214")
        void areRefusedIfTheProxyIsNotOnTheList() {
            api.configMap = new FakeApi.Answer(200, configMap());
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call = said(proxies.client("CN=other"), "X-Remote-User", "jane");
                assertThat(answer(authentication, call).status()).isEqualTo(401);
                assertThat(log.lines().getLast())
                        .contains("x509: subject with cn=other is not in the allowed list");
            }
        }

        @Test
        @Tag("P-214")
        void headersOfAnybodyElseCountForNothing() {
            api.configMap = new FakeApi.Answer(200, configMap());
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call = said(clients.client("CN=mallory"), "X-Remote-User", "admin");
                assertThat(user(authentication, call).name()).isEqualTo("mallory");
                assertThat(lastCall().headers()).isEmpty();
                assertThat(user(authentication, Calls.get("/x", "X-Remote-User", "admin")))
                        .isEqualTo(User.ANONYMOUS);
            }
        }

        @Test
        @Tag("P-212")
        void headersOfTheFlagsGoWithTheFileOfTheFlags() throws IOException {
            Path file = Files.writeString(folder.resolve("proxy.crt"), proxies.pem());
            var settings =
                    AuthenticationSettingsTest.withHeaders(
                            new AuthenticationSettings.RequestHeader(
                                    Optional.of(file),
                                    List.of(),
                                    List.of("X-First", "X-Second"),
                                    List.of(),
                                    List.of("X-Groups"),
                                    List.of()));
            try (var authentication = delegated(settings)) {
                Call call = said(proxies.client("CN=any"), "X-Second", "jane", "X-Groups", "g");
                assertThat(user(authentication, call).groups())
                        .containsExactly("g", "system:authenticated");
                assertThat(lastCall().headers()).isEmpty();
            }
        }
    }

    @Nested
    final class TheClustersOwnSettings {
        @Test
        @Tag("P-212")
        void areFollowed() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                Call call =
                        Calls.from(Calls.get("/x"), false, clients.client("CN=a").certificate());
                assertThat(user(authentication, call)).isEqualTo(User.ANONYMOUS);

                api.watchLines.add("{\"type\":\"ADDED\",\"object\":" + configMap() + "}");
                await().atMost(PATIENCE).until(() -> user(authentication, call).name().equals("a"));

                api.watchLines.add(
                        "{\"type\":\"MODIFIED\",\"object\":{\"data\":{\"client-ca-file\":\"x\"}}}");
                await().atMost(PATIENCE)
                        .until(() ->
                                log.lines().stream()
                                        .anyMatch(line ->
                                                line.startsWith("E Reloading authorities")));
                assertThat(user(authentication, call).name()).isEqualTo("a");
            }
        }

        @Test
        @Tag("P-213")
        void mayBeMissing() {
            try (var authentication = delegated(AuthenticationSettings.DEFAULT)) {
                assertThat(user(authentication, Calls.get("/x"))).isEqualTo(User.ANONYMOUS);
            }
            assertThat(log.lines()).noneMatch(line -> line.startsWith("W"));
        }

        @Test
        @Tag("P-213")
        void mayBeForbiddenIfThatIsTolerated() {
            api.configMap = new FakeApi.Answer(403, FakeApi.status(403, "Forbidden"));
            delegated(AuthenticationSettings.DEFAULT).close();
            assertThat(log.lines())
                    .contains(
                            "W Unable to get configmap/extension-apiserver-authentication in"
                                    + " kube-system.  Usually fixed by 'kubectl create rolebinding -n"
                                    + " kube-system ROLEBINDING_NAME"
                                    + " --role=extension-apiserver-authentication-reader"
                                    + " --serviceaccount=YOUR_NS:YOUR_SA'",
                            "W Error looking up in-cluster authentication configuration: Forbidden"
                                    + " happened",
                            "W Continuing without authentication configuration. This may treat all"
                                    + " requests as anonymous.",
                            "W To require authentication configuration lookup to succeed, set"
                                    + " --authentication-tolerate-lookup-failure=false");
        }

        @Test
        @Tag("P-213")
        @Tag("P-52")
        void stopTheStartIfThatIsNotTolerated() {
            api.configMap = new FakeApi.Answer(403, FakeApi.status(403, "Forbidden"));
            var strict =
                    new AuthenticationSettings(
                            Optional.empty(),
                            false,
                            Duration.ofSeconds(10),
                            false,
                            Optional.empty(),
                            AuthenticationSettings.RequestHeader.DEFAULT);
            assertThatThrownBy(() -> delegated(strict))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage(
                            "unable to load configmap based request-header-client-ca-file:"
                                    + " Forbidden happened");
        }
    }
}
