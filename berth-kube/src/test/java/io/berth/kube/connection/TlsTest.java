package io.berth.kube.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.JsonService;
import io.berth.kube.testing.Certificates;
import io.berth.kube.testing.ScriptedServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.StandardConstants;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which servers are believed, and how we show who we are.
class TlsTest {
    @TempDir static Path directory;
    static Certificates byAddress;
    static Certificates byName;

    @BeforeAll
    static void makeCertificates() throws Exception {
        byAddress = Certificates.make(directory, "RSA", "IP:127.0.0.1,DNS:localhost");
        byName = Certificates.make(directory, "EC", "DNS:kubernetes.example");
    }

    @Test
    void aServerSignedByTheGivenAuthorityIsBelieved() throws Exception {
        assertThat(call(byAddress, tls(byAddress, false, null), "127.0.0.1")).isEqualTo("hello");
    }

    @Test
    void aServerOfAnotherAuthorityIsNot() {
        assertThatThrownBy(() -> call(byAddress, tls(byName, false, null), "127.0.0.1"))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused ->
                                assertThat(refused.failure())
                                        .isEqualTo(ApiException.Failure.UNREACHABLE))
                .hasMessageEndingWith(
                        "tls: failed to verify certificate: x509: certificate signed by unknown"
                                + " authority");
    }

    @Test
    void aServerOfAnotherNameIsNot() {
        assertThatThrownBy(() -> call(byName, tls(byName, false, null), "127.0.0.1"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("tls: failed to verify certificate: x509: No ")
                .hasMessageContaining("127.0.0.1");
    }

    @Test
    void aCertificateThatHasExpiredIsCalledThat() {
        var expired = new CertificateExpiredException("NotAfter: Thu Jan 02 00:00:00 UTC 2020");
        var handshake = new SSLHandshakeException("(certificate_expired) validity check failed");
        handshake.initCause(new CertPathValidatorException("validity check failed", expired));
        assertThat(Errors.tls(handshake))
                .isEqualTo(
                        "failed to verify certificate: x509: certificate has expired or is not yet"
                                + " valid: NotAfter: Thu Jan 02 00:00:00 UTC 2020");
        assertThat(Errors.tls(new SSLException("Remote host terminated the handshake")))
                .isEqualTo("Remote host terminated the handshake");
    }

    @Test
    @Tag("P-122")
    void insecureBelievesAnyAuthorityAndAnyName() throws Exception {
        assertThat(call(byName, tls(null, true, null), "127.0.0.1")).isEqualTo("hello");
        assertThat(call(byName, tls(null, true, null), "localhost")).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    @Tag("P-122")
    void anotherServerNameIsExpectedWhereAskedFor(String host) throws Exception {
        assertThat(call(byName, tls(byName, false, "kubernetes.example"), host)).isEqualTo("hello");
        // The address's own name no longer counts.
        assertThatThrownBy(() -> call(byAddress, tls(byAddress, false, "kubernetes.example"), host))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("tls: ");
    }

    /// Servers with several certificates choose by the name in the greeting. The JDK leaves names
    /// of one label out unless told, so such a server showed us the wrong certificate.
    @ParameterizedTest
    @CsvSource({
        "localhost,,localhost",
        "127.0.0.1,apiserver-loopback-client,apiserver-loopback-client",
        "127.0.0.1,kubernetes.example,kubernetes.example",
        "127.0.0.1,kubernetes.example.,kubernetes.example",
        "127.0.0.1,with_underscore,",
        "127.0.0.1,,",
        "localhost,10.0.0.1,",
        "localhost,::1,",
    })
    @Tag("P-122")
    void theGreetingNamesTheServerUnlessItIsAnAddress(
            String host, @Nullable String serverName, @Nullable String greeted) throws Exception {
        var names = new CopyOnWriteArrayList<String>();
        var listener = (SSLServerSocket) byAddress.listen(null);
        listen(listener, names);
        try (var running =
                        new ScriptedServer(
                                listener, (request, answer) -> answer.send(200, "hello"));
                var service =
                        new JsonService(
                                URI.create("https://" + host),
                                tls(null, true, serverName),
                                Duration.ofSeconds(30))) {
            var address = URI.create("https://" + host + ":" + running.port());
            send(address, tls(null, true, serverName));
            service.post(address, List.of());
        }
        assertThat(names).isEqualTo(greeted == null ? List.of() : List.of(greeted, greeted));
    }

    /// As with `--tls-curve-preferences` of kube-apiserver. Writes are carried out once all the
    /// same.
    @Test
    void aServerThatWantsNoneOfTheUsualCurvesIsOfferedOthers() throws Exception {
        var listener = (SSLServerSocket) byAddress.listen(null);
        var parameters = listener.getSSLParameters();
        parameters.setNamedGroups(new String[] {"x25519"});
        listener.setSSLParameters(parameters);
        try (var running =
                new ScriptedServer(listener, (request, answer) -> answer.send(200, "hello"))) {
            var server = URI.create("https://127.0.0.1:" + running.port());
            assertThat(send(server, tls(byAddress, false, null))).isEqualTo("hello");
            var connection =
                    new Connection(
                            server, tls(byAddress, false, null), null, Credentials.NONE, Map.of());
            try (var client = new ApiClient(connection, ClientOptions.DEFAULT)) {
                client.carryOut(ApiRequest.create("/x", new byte[] {'{', '}'}));
            }
            assertThat(running.requests()).hasSize(2);
        }
    }

    private static void listen(SSLServerSocket listener, List<String> names) {
        var parameters = listener.getSSLParameters();
        parameters.setSNIMatchers(
                List.of(
                        new SNIMatcher(StandardConstants.SNI_HOST_NAME) {
                            @Override
                            public boolean matches(SNIServerName name) {
                                return names.add(
                                        new String(name.getEncoded(), StandardCharsets.UTF_8));
                            }
                        }));
        listener.setSSLParameters(parameters);
    }

    @Test
    @Tag("P-122")
    void aClientCertificateIsShown() throws Exception {
        Path chain = Files.writeString(directory.resolve("c.crt"), byName.certificatePem());
        Path key = Files.writeString(directory.resolve("c.key"), byName.keyPem());
        var own =
                new Credentials.ClientCertificate(
                        new PemSource.InFile(chain, "client-certificate"),
                        new PemSource.InFile(key, "client-key"));
        try (var server =
                new ScriptedServer(
                        byAddress.listen(byName), (request, answer) -> answer.send(200, "you"))) {
            var tls = new Connection.Tls(inline(byAddress), false, null, own);
            assertThat(send(server.uri(), tls)).isEqualTo("you");
            var nobody = new Connection.Tls(inline(byAddress), false, null, null);
            assertThatThrownBy(() -> send(server.uri(), nobody)).isInstanceOf(ApiException.class);
        }
    }

    @Test
    void aKeyThatDoesNotFitItsCertificateIsNamed() throws Exception {
        var own =
                new Credentials.ClientCertificate(
                        inline(byName),
                        new PemSource.Inline(
                                byAddress.keyPem().getBytes(StandardCharsets.UTF_8),
                                "cfg: users[0].user.client-key-data"));
        var tls = new Connection.Tls(null, true, null, own);
        assertThatThrownBy(() -> send(URI.create("https://127.0.0.1:1"), tls))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cfg: users[0].user.client-key-data")
                .hasMessageContaining("RSA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    @Tag("P-122")
    void aKeyOfAnotherCertificateIsNamed(String algorithm) throws Exception {
        var stranger = Certificates.newKey(algorithm);
        var own =
                new Credentials.ClientCertificate(
                        inline(algorithm.equals("RSA") ? byAddress : byName),
                        new PemSource.Inline(
                                Certificates.pem("PRIVATE KEY", stranger.getEncoded())
                                        .getBytes(StandardCharsets.UTF_8),
                                "cfg: users[0].user.client-key-data"));
        var tls = new Connection.Tls(null, true, null, own);
        assertThatThrownBy(() -> send(URI.create("https://127.0.0.1:1"), tls))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("cfg: users[0].user.client-key-data is not the key of")
                .hasMessageEndingWith("tls: private key does not match public key");
    }

    private static String call(Certificates server, Connection.Tls tls, String host)
            throws Exception {
        try (var running =
                new ScriptedServer(
                        server.listen(null), (request, answer) -> answer.send(200, "hello"))) {
            return send(URI.create("https://" + host + ":" + running.port()), tls);
        }
    }

    private static String send(URI server, Connection.Tls tls) {
        var connection = new Connection(server, tls, null, Credentials.NONE, Map.of());
        try (var client = new ApiClient(connection, ClientOptions.DEFAULT)) {
            return client.send(ApiRequest.get("/x")).text();
        }
    }

    private static Connection.Tls tls(
            @Nullable Certificates authority, boolean insecure, @Nullable String serverName)
            throws Exception {
        return new Connection.Tls(
                authority == null ? null : inline(authority), insecure, serverName, null);
    }

    private static PemSource inline(Certificates certificates) throws Exception {
        return new PemSource.Inline(
                certificates.certificatePem().getBytes(StandardCharsets.UTF_8), "test");
    }
}
