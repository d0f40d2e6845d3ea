package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.serving.http.TestAuthority.Issued;
import io.berth.serving.tls.ClientAuthorities;
import io.berth.serving.tls.SelfSigned;
import io.berth.serving.tls.ServingException;
import io.berth.serving.tls.ServingSettings;
import io.berth.serving.tls.SniPair;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HttpServerTest {
    private static final ServingSettings LOOPBACK =
            ServingSettings.DEFAULT.withAddress(InetAddress.getLoopbackAddress(), 0);

    /// Files whose changes went unnoticed are looked at once a minute.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final NotedServerLog log = new NotedServerLog(5);
    @TempDir private Path folder;

    private HttpServer start(ServingSettings settings, Endpoint endpoint) {
        return start(settings, endpoint, PATIENCE);
    }

    private HttpServer start(ServingSettings settings, Endpoint endpoint, Duration grace) {
        return HttpServer.secure(
                ListenSocket.bind(settings),
                settings,
                ClientAuthorities.NONE,
                endpoint,
                log,
                grace,
                PortLimits.DEFAULT);
    }

    private HttpServer start(ServingSettings settings) {
        return start(settings, call -> Reply.text(200, call.path()));
    }

    @Nested
    final class Protocols {
        @Test
        @Tag("P-170")
        void servesHttp2AndHttp1() throws Exception {
            try (var server = start(LOOPBACK)) {
                for (Version version : Version.values()) {
                    if (version == Version.HTTP_2 || version == Version.HTTP_1_1) {
                        try (var client = client(server, version)) {
                            var answer = client.get("/a%20b?c=d");
                            assertThat(answer.version()).isEqualTo(version);
                            assertThat(answer.body()).isEqualTo("/a b");
                        }
                    }
                }
            }
            assertThat(log.lines())
                    .anyMatch(l -> l.startsWith("I0 Serving securely on 127.0.0.1:"));
        }

        @Test
        @Tag("P-182")
        void http2ConnectionEndsWithTheReplyThatClosesIt() throws Exception {
            Endpoint addresses =
                    call -> {
                        Reply reply = Reply.text(200, call.peer().address());
                        return call.path().equals("/last")
                                ? reply.with("Connection", "close")
                                : reply;
                    };
            try (var server = start(LOOPBACK, addresses);
                    var client = client(server, Version.HTTP_2)) {
                String first = client.get("/").body();
                assertThat(client.get("/last").body()).isEqualTo(first);
                assertThat(client.get("/").body()).isNotEqualTo(first);
            }
        }

        @Test
        @Tag("P-170")
        void offersHttp1AloneWhenHttp2IsOff() throws Exception {
            try (var server = start(LOOPBACK.withHttp2(false, 0));
                    var client = client(server, Version.HTTP_2)) {
                assertThat(client.get("/").version()).isEqualTo(Version.HTTP_1_1);
            }
            assertThat(log.lines()).contains("I1 Forcing use of http/1.1 only");
        }

        @Test
        @Tag("P-170")
        void listensOnAllInterfacesOfBothFamilies() {
            try (var socket = ListenSocket.bind(ServingSettings.DEFAULT.withAddress(any(), 0))) {
                assertThat(socket.address()).matches("(\\[::]|0\\.0\\.0\\.0):\\d+");
            }
        }

        @Test
        @Tag("P-170")
        void refusesHeadersBeyondOneMebibyte() throws Exception {
            try (var server = start(LOOPBACK);
                    var client = client(server, Version.HTTP_1_1)) {
                assertThat(client.get("/", "x-big", "a".repeat(500_000)).statusCode())
                        .isEqualTo(200);
                assertThat(client.get("/", "x-big", "a".repeat(1 << 20)).statusCode())
                        .isEqualTo(431);
            }
        }

        @Test
        @Tag("P-183")
        void leavesStrangePathsToThePages() throws Exception {
            try (var server = start(LOOPBACK)) {
                assertThat(raw(server, "GET /x%2fy//z/../w HTTP/1.1")).contains("/x/y//z/../w");
                assertThat(raw(server, "GET /%zz HTTP/1.1")).startsWith("HTTP/1.1 400");
            }
        }

        /// Clients send no fragments, so kube-scheduler takes one for a part of the path, which is
        /// then not the open one.
        @Test
        @Tag("P-183")
        void numberSignIsPartOfThePath() throws Exception {
            Endpoint page = call -> Reply.text(200, call.path() + " " + call.query());
            try (var server = start(LOOPBACK, page)) {
                assertThat(raw(server, "GET /healthz#frag HTTP/1.1")).endsWith("/healthz#frag {}");
                assertThat(raw(server, "GET /a#b?c=d HTTP/1.1")).endsWith("/a#b {c=[d]}");
                assertThat(raw(server, "GET /a?c=d#b HTTP/1.1")).endsWith("/a {c=[d#b]}");
            }
        }

        /// A tunnel names a host and no path. A null pointer went to the log for it, and nothing
        /// came back.
        @Test
        @Tag("P-183")
        void tunnelIsACallWithoutPath() throws Exception {
            Endpoint page = call -> Reply.text(403, call.method() + " '" + call.path() + "'");
            try (var server = start(LOOPBACK, page)) {
                assertThat(raw(server, "CONNECT example.com:443 HTTP/1.1"))
                        .startsWith("HTTP/1.1 403")
                        .endsWith("CONNECT ''");
                assertThat(raw(server, "OPTIONS * HTTP/1.1")).endsWith("OPTIONS '*'");
            }
        }

        @Test
        void unreadBodyDoesNotDisturbTheAnswer() throws Exception {
            try (var server = start(LOOPBACK);
                    var client = client(server, Version.HTTP_2)) {
                var answer = client.send("POST", "/x", "b".repeat(300_000));
                assertThat(answer.body()).isEqualTo("/x");
            }
        }

        private String raw(HttpServer server, String line) throws IOException {
            try (var socket =
                    TestClient.tls(null, List.of())
                            .getSocketFactory()
                            .createSocket("127.0.0.1", server.port())) {
                socket.getOutputStream()
                        .write(
                                (line + "\r\nHost: x\r\nConnection: close\r\n\r\n")
                                        .getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Nested
    final class Certificates {
        @Test
        @Tag("P-171")
        void generatesAPairInMemory() throws Exception {
            try (var server = start(LOOPBACK)) {
                X509Certificate shown = shownFor(server, "");
                assertThat(shown.getSubjectX500Principal().getName()).startsWith("CN=localhost@");
            }
            assertThat(log.lines()).contains("I0 Generated self-signed cert in-memory");
        }

        @Test
        @Tag("P-173")
        void takesANewPairFromItsFilesAndKeepsItWhenTheNextIsBroken() throws Exception {
            var authority = new TestAuthority("ca");
            Path certificate = folder.resolve("tls.crt");
            Path key = folder.resolve("tls.key");
            authority.server("CN=first").write(certificate, key);
            try (var server = start(withPair(certificate, key))) {
                assertThat(subject(server, "")).isEqualTo("CN=first");

                authority.server("CN=second").write(certificate, key);
                await().atMost(PATIENCE).until(() -> subject(server, "").equals("CN=second"));

                Files.writeString(key, "nonsense");
                await().atMost(PATIENCE)
                        .until(() ->
                                log.lines().stream()
                                        .anyMatch(line ->
                                                line.startsWith(
                                                        "E Reloading the serving certificate failed")));
                assertThat(subject(server, "")).isEqualTo("CN=second");
            }
        }

        @Test
        @Tag("P-173")
        void filesThatCannotBeUsedStopTheStart() throws Exception {
            Path certificate = folder.resolve("tls.crt");
            Path key = folder.resolve("tls.key");
            assertThatThrownBy(() -> start(withPair(certificate, key)))
                    .isInstanceOf(ServingException.class)
                    .hasMessage("open " + certificate + ": no such file or directory");

            var authority = new TestAuthority("ca");
            Files.writeString(certificate, authority.server("CN=a").certificatePem());
            Files.writeString(key, authority.server("CN=b").keyPem());
            assertThatThrownBy(() -> start(withPair(certificate, key)))
                    .hasMessageContaining("private key does not match public key");
        }

        @Test
        void certificateWhoseTimeIsOverIsShownWithAWarning() throws Exception {
            var authority = new TestAuthority("ca");
            Path certificate = folder.resolve("tls.crt");
            Path key = folder.resolve("tls.key");
            authority.expiredClient("CN=old").write(certificate, key);
            try (var server = start(withPair(certificate, key))) {
                assertThat(subject(server, "")).isEqualTo("CN=old");
                assertThat(log.lines())
                        .anyMatch(line ->
                                line.startsWith("W The serving certificate has expired, renew it")
                                        && line.contains(certificate.toString()));
            }
        }

        @Test
        void folderThatIsAFileIsSaidToBeNone() throws Exception {
            Path file = Files.writeString(folder.resolve("file"), "");
            var wish =
                    new SelfSigned.Wish(
                            InetAddress.getLoopbackAddress(), SelfSigned.KeyKind.ELLIPTIC);
            assertThatThrownBy(() -> SelfSigned.inFolder(file, wish, log))
                    .hasMessage(
                            "error creating self-signed certificates: write "
                                    + file
                                    + ": not a directory");
        }

        @Test
        @Tag("P-21")
        void choosesByHostNameWithWrittenNamesFirstAndExactBeforePattern() throws Exception {
            var authority = new TestAuthority("ca");
            Path mainCertificate = folder.resolve("main.crt");
            Path mainKey = folder.resolve("main.key");
            authority.server("CN=main").write(mainCertificate, mainKey);
            SniPair pattern = sni(authority.server("CN=pattern", "*.example.com"), "pattern");
            SniPair exact = sni(authority.server("CN=exact", "a.example.com"), "exact");
            SniPair inCertificate = sni(authority.server("CN=shadowed", "b.example.org"), "c");
            SniPair written = sni(authority.server("CN=written", "other"), "d", "b.example.org");
            var files =
                    new ServingSettings.Files(
                            Optional.empty(),
                            Optional.of(mainCertificate),
                            Optional.of(mainKey),
                            List.of(pattern, exact, inCertificate, written));
            try (var server = start(LOOPBACK.withFiles(files))) {
                assertThat(subject(server, "")).isEqualTo("CN=main");
                assertThat(subject(server, "unknown.test")).isEqualTo("CN=main");
                assertThat(subject(server, "x.example.com")).isEqualTo("CN=pattern");
                assertThat(subject(server, "A.example.com")).isEqualTo("CN=exact");
                assertThat(subject(server, "b.example.org")).isEqualTo("CN=written");
            }
        }

        @Test
        @Tag("P-21")
        void clientThatNamesNoHostIsShownThePairOfTheAddress() throws Exception {
            var authority = new TestAuthority("ca");
            SniPair address = sni(authority.server("CN=address", "other"), "a", "127.0.0.1");
            SniPair elsewhere = sni(authority.server("CN=elsewhere", "more"), "b", "127.0.0.2");
            var files =
                    new ServingSettings.Files(
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            List.of(elsewhere, address));
            try (var server = start(LOOPBACK.withFiles(files))) {
                assertThat(subject(server, "")).isEqualTo("CN=address");
                assertThat(subject(server, "unknown.test")).startsWith("CN=localhost@");
            }
        }

        private SniPair sni(Issued issued, String name, String... names) throws IOException {
            Path certificate = folder.resolve(name + ".crt");
            Path key = folder.resolve(name + ".key");
            issued.write(certificate, key);
            return new SniPair(certificate, key, List.of(names));
        }

        private ServingSettings withPair(Path certificate, Path key) {
            return LOOPBACK.withFiles(
                    new ServingSettings.Files(
                            Optional.empty(),
                            Optional.of(certificate),
                            Optional.of(key),
                            List.of()));
        }

        private String subject(HttpServer server, String host) throws IOException {
            return shownFor(server, host).getSubjectX500Principal().getName();
        }
    }

    @Nested
    final class Tls {
        @Test
        @Tag("P-173")
        void speaksTls12AndNewer() throws Exception {
            try (var server = start(LOOPBACK)) {
                assertThat(handshake(server, "TLSv1.2")).isEqualTo("TLSv1.2");
                assertThat(handshake(server, "TLSv1.3")).isEqualTo("TLSv1.3");
            }
        }

        @Test
        @Tag("P-20")
        @Tag("P-175")
        void refusesOlderThanTheLeastVersionAndTellsItToTheCuriousOnly() throws Exception {
            var settings =
                    LOOPBACK.withTls(new ServingSettings.Tls("VersionTLS13", List.of(), List.of()));
            try (var server = start(settings)) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> handshake(server, "TLSv1.2"));
                assertThat(handshake(server, "TLSv1.3")).isEqualTo("TLSv1.3");
                await().atMost(PATIENCE)
                        .until(() ->
                                log.lines().stream()
                                        .anyMatch(line ->
                                                line.startsWith(
                                                        "I5 http: TLS handshake error from 127.0.0.1:")));
            }
        }

        @Test
        @Tag("P-20")
        void offersOnlyTheChosenSuitesForTls12() throws Exception {
            String chosen = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
            var settings =
                    LOOPBACK.withTls(new ServingSettings.Tls("", List.of(chosen), List.of()));
            try (var server = start(settings)) {
                assertThat(suite(server, chosen)).isEqualTo(chosen);
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> suite(server, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
                assertThat(handshake(server, "TLSv1.3")).isEqualTo("TLSv1.3");
            }
        }

        @Test
        @Tag("P-20")
        void offersOnlyTheChosenCurves() throws Exception {
            var settings = LOOPBACK.withTls(new ServingSettings.Tls("", List.of(), List.of(24)));
            try (var server = start(settings)) {
                assertThat(curve(server, "secp384r1")).isEqualTo("TLSv1.3");
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> curve(server, "x25519"));
            }
        }

        private String handshake(HttpServer server, String version) throws IOException {
            return connect(server, p -> p.setProtocols(new String[] {version})).getProtocol();
        }

        private String curve(HttpServer server, String name) throws IOException {
            return connect(server, p -> p.setNamedGroups(new String[] {name})).getProtocol();
        }

        private String suite(HttpServer server, String name) throws IOException {
            return connect(
                            server,
                            p -> {
                                p.setProtocols(new String[] {"TLSv1.2"});
                                p.setCipherSuites(new String[] {name});
                            })
                    .getCipherSuite();
        }
    }

    @Nested
    final class Sharing {
        @Test
        @Tag("P-44")
        void takenPortIsRefusedWithItsAddress() {
            try (var first = ListenSocket.bind(LOOPBACK)) {
                var second = LOOPBACK.withAddress(LOOPBACK.bindAddress(), first.port());
                String address = "127.0.0.1:" + first.port();
                assertThatThrownBy(() -> ListenSocket.bind(second))
                        .isInstanceOf(ServingException.class)
                        .hasMessage(
                                "failed to create listener: failed to listen on "
                                        + address
                                        + ": listen tcp "
                                        + address
                                        + ": bind: address already in use");
            }
        }

        @Test
        @Tag("P-170")
        void sharedPortIsBoundTwice() {
            ServingSettings shared = LOOPBACK.withSharing(true, true);
            try (var first = ListenSocket.bind(shared);
                    var second =
                            ListenSocket.bind(
                                    shared.withAddress(shared.bindAddress(), first.port()))) {
                assertThat(second.port()).isEqualTo(first.port());
            }
        }
    }

    @Nested
    final class Stop {
        @Test
        @Tag("P-258")
        void letsTheCallsUnderWayFinish() throws Exception {
            var entered = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            var server =
                    start(
                            LOOPBACK,
                            _ -> {
                                entered.countDown();
                                await(go);
                                return Reply.text(200, "late");
                            });
            try (var client = client(server, Version.HTTP_2)) {
                CompletableFuture<String> answer =
                        CompletableFuture.supplyAsync(
                                () -> body(client), Thread::startVirtualThread);
                entered.await();
                var closing = CompletableFuture.runAsync(server::close, Thread::startVirtualThread);
                org.awaitility.Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() ->
                                log.lines()
                                        .contains(
                                                "I0 [graceful-termination] secure server has stopped"
                                                        + " listening"));
                go.countDown();
                assertThat(answer.get()).isEqualTo("late");
                closing.get();
            }
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("I0 Stopped listening on 127.0.0.1:"))
                    .contains("I0 [graceful-termination] secure server is exiting");
        }

        @Test
        @Tag("P-258")
        void callsThatTakeTooLongAreCutOff() throws Exception {
            var entered = new CountDownLatch(1);
            var never = new CountDownLatch(1);
            var server =
                    start(
                            LOOPBACK,
                            _ -> {
                                entered.countDown();
                                await(never);
                                return Reply.text(200, "never");
                            },
                            Duration.ofMillis(200));
            try (var client = client(server, Version.HTTP_1_1)) {
                var answer =
                        CompletableFuture.supplyAsync(
                                () -> body(client), Thread::startVirtualThread);
                entered.await();
                server.close();
                assertThat(log.lines())
                        .contains("E Failed to shutdown server: context deadline exceeded");
                assertThatThrownBy(answer::get).hasRootCauseInstanceOf(IOException.class);
            }
            never.countDown();
        }

        private void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }

        private String body(TestClient client) {
            try {
                return client.get("/").body();
            } catch (IOException | InterruptedException broken) {
                throw new IllegalStateException(broken);
            }
        }
    }

    private static TestClient client(HttpServer server, Version version) {
        return TestClient.secure(server.port(), version, TestClient.tls(null, List.of()));
    }

    private static InetAddress any() {
        return ServingSettings.DEFAULT.bindAddress();
    }

    private static X509Certificate shownFor(HttpServer server, String host) throws IOException {
        var session =
                connect(
                        server,
                        parameters -> {
                            if (!host.isEmpty()) {
                                parameters.setServerNames(List.of(new SNIHostName(host)));
                            }
                        });
        return (X509Certificate) session.getPeerCertificates()[0];
    }

    private static javax.net.ssl.SSLSession connect(
            HttpServer server, java.util.function.Consumer<SSLParameters> change)
            throws IOException {
        try (var socket =
                (SSLSocket)
                        TestClient.tls(null, List.of())
                                .getSocketFactory()
                                .createSocket("127.0.0.1", server.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            change.accept(parameters);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getSession();
        }
    }
}
