package io.berth.kube.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.client.ClientOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How the way to an API server is found.
class KubeConfigTest {
    private static final String CLUSTER_AND_CONTEXT =
            """
            current-context: a
            contexts: [{name: a, context: {cluster: x, user: u}}]
            clusters: [{name: x, cluster: {server: "https://x"}}]
            """;

    @TempDir Path directory;

    @Test
    @Tag("P-122")
    void theCurrentContextDecides() throws Exception {
        var connection =
                connection(
                        """
                        current-context: b
                        contexts:
                        - {name: a, context: {cluster: x, user: one}}
                        - {name: b, context: {cluster: z, user: two}}
                        clusters:
                        - {name: x, cluster: {server: "https://x:1"}}
                        - {name: z, cluster: {server: "https://y:2/base/", tls-server-name: k, proxy-url: "http://p:8080"}}
                        users:
                        - {name: one, user: {token: t1}}
                        - {name: two, user: {token: t2, as: boss, as-groups: [g1, g2], as-user-extra: {k: [v]}}}
                        """);
        assertThat(connection.server()).isEqualTo(URI.create("https://y:2/base"));
        assertThat(connection.tls().serverName()).isEqualTo("k");
        assertThat(connection.proxy()).isEqualTo(URI.create("http://p:8080"));
        assertThat(connection.credentials().authorization()).isEqualTo("Bearer t2");
        assertThat(connection.impersonation())
                .isEqualTo(
                        Map.of(
                                "Impersonate-User", List.of("boss"),
                                "Impersonate-Group", List.of("g1", "g2"),
                                "Impersonate-Extra-k", List.of("v")));
    }

    @Test
    @Tag("P-120")
    void theMasterFlagGoesBeforeTheFile() throws Exception {
        Path file = file("c", single("token: t"));
        var connection = Connections.resolve(file.toString(), "https://other:9", Map.of());
        assertThat(connection.server()).isEqualTo(URI.create("https://other:9"));
        assertThat(connection.credentials().authorization()).isEqualTo("Bearer t");
    }

    @Test
    @Tag("P-122")
    void filesAreRelativeToTheConfigurationAndDataGoesBeforeThem() throws Exception {
        var connection =
                connection(
                        """
                        current-context: a
                        contexts: [{name: a, context: {cluster: x, user: u}}]
                        clusters:
                        - name: x
                          cluster: {server: "https://x", certificate-authority: ca.crt}
                        users:
                        - name: u
                          user: {client-certificate: c.crt, client-key-data: aGk=, client-key: no.key}
                        """);
        assertThat(connection.tls().authorities())
                .isInstanceOfSatisfying(
                        PemSource.InFile.class,
                        file -> assertThat(file.path()).isEqualTo(directory.resolve("ca.crt")));
        var own = Objects.requireNonNull(connection.tls().certificate());
        assertThat(own.chain()).isInstanceOf(PemSource.InFile.class);
        assertThat(own.key().read()).asString().isEqualTo("hi");
    }

    @Test
    void theFirstOfSeveralFilesWins() throws Exception {
        Path one =
                file(
                        "one",
                        """
                        contexts: [{name: a, context: {cluster: x, user: u}}]
                        clusters: [{name: x, cluster: {server: "https://first"}}]
                        """);
        Path two = file("two", single("token: t").replace("https://x", "https://second"));
        var config =
                KubeConfig.fromEnvironment(
                        Map.of("KUBECONFIG", one + ":" + directory.resolve("none") + ":" + two));
        var connection = config.connection(null);
        assertThat(connection.server()).isEqualTo(URI.create("https://first"));
        assertThat(connection.credentials().authorization()).isEqualTo("Bearer t");
    }

    @Test
    @Tag("P-122")
    void aNameAndPasswordBecomeBasic() throws Exception {
        assertThat(connection(single("username: u\n    password: p")).credentials().authorization())
                .isEqualTo("Basic dTpw");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "client-key-data: '!'            | contexts | users[0].user.client-key-data: illegal base64 data at input byte 0 (line 7)",
                "client-key: k                   | contexts | client-certificate is missing",
                "token: [a]                      | contexts | json: cannot unmarshal array into Go struct field AuthInfo.users.user.token of type string (line 7)",
                "as-uid: '7'                     | contexts | users[0].user.as is missing",
                "exec: {apiVersion: v2}          | contexts | users[0].user.exec.apiVersion: \"v2\" is not supported",
                "token: t                        | odd      | contexts has no entry named \"a\"",
            })
    void mistakesAreNamedByFileAndField(String user, String contexts, String problem)
            throws Exception {
        Path file = file("config", single(user).replace("contexts:", contexts + ":"));
        assertThatThrownBy(() -> KubeConfig.load(file).connection(null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(problem);
    }

    @Test
    void whatIsNoYamlIsNamedWithItsLine() throws Exception {
        Path file = file("config", "clusters:\n  - a: [\n");
        assertThatThrownBy(() -> KubeConfig.load(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "error loading config file \"%s\": yaml: line 3: expected the node content, but found '<stream end>'"
                                .formatted(file));
        assertThatThrownBy(() -> KubeConfig.load(directory.resolve("none")))
                .hasMessage(
                        "unable to read kubeconfig "
                                + directory.resolve("none")
                                + ": no such file or directory");
    }

    /// Each of these was tried with the real kube-scheduler, which starts, too.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    repeated key       | users: [{name: u, user: {token: s, token: t}}]                     | Bearer t
                    second document    | users: [{name: u, user: {token: t}}]/---/[: no YAML                | Bearer t
                    unknown field      | users: [{name: u, user: {token: t, odd: 5}}]                       | Bearer t
                    binary             | users: [{name: u, user: {token: !!binary aGk=}}]                   | Bearer hi
                    empty kind         | kind: ''/apiVersion: ''/users: [{name: u, user: {token: t}}]       | Bearer t
                    user without entry | users: []                                                          |
                    """)
    @Tag("P-122")
    void isReadAsLaxlyAsUpstreamReadsIt(String what, String more, @Nullable String authorization)
            throws Exception {
        var connection = connection(CLUSTER_AND_CONTEXT + more.replace('/', '\n') + "\n");
        assertThat(connection.credentials().authorization()).as(what).isEqualTo(authorization);
    }

    /// Each of these was tried with the real kube-scheduler, which does not start either.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    kind: Pod                                        | no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"
                    apiVersion: v2                                   | no kind "Config" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"
                    kind: 5                                          | couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string
                    users: [{name: u, user: {token: 5}}]             | json: cannot unmarshal number into Go struct field AuthInfo.users.user.token of type string
                    users: [{name: other, user: {token: true}}]      | json: cannot unmarshal bool into Go struct field AuthInfo.users.user.token of type string
                    users: [{name: u, user: {as-groups: [1]}}]       | json: cannot unmarshal number into Go struct field AuthInfo.users.user.as-groups of type string
                    users: {name: u}                                 | json: cannot unmarshal object into Go struct field Config.users of type []v1.NamedAuthInfo
                    users: [{name: u}, {name: u}]                    | duplicate name "u" in list
                    users: [{name: u, user: {token: !!binary '##'}}] | yaml: !!binary value contains invalid base64 data
                    """)
    @Tag("P-122")
    void isReadAsStrictlyAsUpstreamReadsIt(String more, String problem) throws Exception {
        Path file = file("config", CLUSTER_AND_CONTEXT + more + "\n");
        assertThatThrownBy(() -> KubeConfig.load(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "error loading config file \"%s\": %s".formatted(file, problem));
    }

    @Test
    @Tag("P-120")
    void aWrongMasterIsNotBlamedOnTheFile() throws Exception {
        String file = file("c", single("token: t")).toString();
        assertThatThrownBy(() -> Connections.resolve(file, "1.5", Map.of()))
                .hasMessage("--master: \"1.5\" is no URL such as https://10.0.0.1:6443");
    }

    @Test
    @Tag("P-120")
    void theMasterFlagMakesUpForAContextThatIsNotThere() throws Exception {
        String file = file("c", "clusters: [{name: x, cluster: {server: 'https://x'}}]").toString();
        assertThat(Connections.resolve(file, "http://m:8", Map.of()).server())
                .isEqualTo(URI.create("http://m:8"));
    }

    @Test
    void aNameThatNoFileCanHaveIsToldInASentence() throws Exception {
        assertThatThrownBy(() -> Connections.resolve("a\u0000b", "", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessage("kubeconfig: open \"a\\u0000b\": invalid argument");
        Path file = file("c", single("tokenFile: \"a\\0b\""));
        assertThatThrownBy(() -> KubeConfig.load(file).connection(null))
                .hasMessage(
                        file + ": users[0].user.tokenFile: open \"a\\u0000b\": invalid argument");
    }

    /// Five megabytes in one line took a minute, which grew with the square of the length.
    @Test
    @Timeout(20)
    void aLongLineTakesNoLongTime() throws Exception {
        String filler = "x".repeat(4_000_000);
        Path comment = file("comment", "# " + filler + "\n" + single("token: t"));
        assertThat(KubeConfig.load(comment).currentContext()).isEqualTo("a");
        Path value = file("value", single("token: " + filler));
        assertThat(KubeConfig.load(value).currentContext()).isEqualTo("a");
        Path large = file("large", "# " + filler + filler);
        assertThatThrownBy(() -> KubeConfig.load(large))
                .hasMessage("unable to read kubeconfig " + large + ": larger than 4194304 bytes");
    }

    /// As kube-scheduler: it does not start, rather than fail again and again.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /nowhere/ca.crt | unable to read FILE: clusters[0].cluster.certificate-authority /nowhere/ca.crt: no such file or directory
                    garbage         | FILE: clusters[0].cluster.certificate-authority holds no certificate: expected a BEGIN CERTIFICATE block
                    """)
    @Tag("P-122")
    void authoritiesThatCannotBeUsedAreToldAtOnce(String authority, String problem)
            throws Exception {
        file("garbage", "hello");
        Path config =
                file(
                        "config",
                        """
                        clusters: [{name: c, cluster: {server: "https://s:1", certificate-authority: %s}}]
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        users: [{name: u, user: {token: t}}]
                        current-context: x
                        """
                                .formatted(authority));
        assertThatThrownBy(() -> Connections.resolve(config.toString(), "", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessage(problem.replace("FILE", config.toString()));
    }

    @Test
    @Tag("P-120")
    void nothingGivenIsAnError() {
        assertThatThrownBy(() -> Connections.resolve("", "", Map.of()))
                .hasMessage(
                        "invalid configuration: no configuration has been provided, try setting"
                                + " KUBERNETES_MASTER environment variable");
        assertThat(Connections.resolve("", "", Map.of("KUBERNETES_MASTER", "http://m:8")).server())
                .isEqualTo(URI.create("http://m:8"));
    }

    @Test
    @Tag("P-120")
    void aFileThatSaysNothingIsLikeNone() throws Exception {
        String empty = file("empty", "apiVersion: v1").toString();
        assertThat(Connections.resolve(empty, "http://m:8", Map.of()).server())
                .isEqualTo(URI.create("http://m:8"));
        assertThat(
                        Connections.resolve(empty, "", Map.of("KUBERNETES_MASTER", "http://m:9"))
                                .server())
                .isEqualTo(URI.create("http://m:9"));
        assertThatThrownBy(() -> Connections.resolve(empty, "", Map.of()))
                .hasMessageContaining(
                        "empty names no cluster: invalid configuration: no configuration");
    }

    @Test
    @Tag("P-122")
    void clusterAndUserFieldsAreHonoured() throws Exception {
        var connection =
                connection(
                        """
                        current-context: a
                        contexts: [{name: a, context: {cluster: x, user: u}}]
                        clusters:
                        - name: x
                          cluster:
                            server: https://x
                            tls-server-name: inside
                            proxy-url: http://proxy:3128
                        users:
                        - name: u
                          user:
                            token: t
                            as: boss
                            as-uid: "7"
                            as-groups: [g1, g2]
                            as-user-extra: {scopes: [one, two]}
                        """);
        assertThat(connection.tls().serverName()).isEqualTo("inside");
        assertThat(connection.proxy()).isEqualTo(URI.create("http://proxy:3128"));
        assertThat(connection.impersonation())
                .containsEntry("Impersonate-User", List.of("boss"))
                .containsEntry("Impersonate-Uid", List.of("7"))
                .containsEntry("Impersonate-Group", List.of("g1", "g2"))
                .containsEntry("Impersonate-Extra-scopes", List.of("one", "two"));
    }

    @Test
    @Tag("P-127")
    void theEnvironmentSetsHowSilenceIsJudged() {
        var usual = ClientOptions.DEFAULT;
        assertThat(usual.readIdle()).isEqualTo(Duration.ofSeconds(30));
        assertThat(usual.pingTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(usual.connectTimeout()).isEqualTo(Duration.ofSeconds(30));
        var changed =
                usual.withEnvironment(
                        Map.of(
                                "HTTP2_READ_IDLE_TIMEOUT_SECONDS", "7",
                                "HTTP2_PING_TIMEOUT_SECONDS", "soon"));
        assertThat(changed.readIdle()).isEqualTo(Duration.ofSeconds(7));
        assertThat(changed.pingTimeout()).isEqualTo(Duration.ofSeconds(15));
    }

    @Nested
    class InACluster {
        @Test
        @Tag("P-121")
        void theServiceAccountIsUsed() throws Exception {
            file("token", "abc\n");
            file("ca.crt", "x");
            var connection =
                    InCluster.connection(
                            Map.of(
                                    "KUBERNETES_SERVICE_HOST", "fd00::1",
                                    "KUBERNETES_SERVICE_PORT", "443"),
                            directory);
            assertThat(connection.server()).isEqualTo(URI.create("https://[fd00::1]:443"));
            assertThat(connection.credentials().authorization()).isEqualTo("Bearer abc");
            assertThat(connection.tls().authorities()).isNotNull();
        }

        @Test
        @Tag("P-121")
        void outsideOfOneItSaysSo() {
            assertThatThrownBy(() -> InCluster.connection(Map.of(), directory))
                    .hasMessage(
                            "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and"
                                    + " KUBERNETES_SERVICE_PORT must be defined");
        }
    }

    @Nested
    class TokenFiles {
        private final AtomicLong now = new AtomicLong();

        @Test
        @Tag("P-126")
        void areReadAgainAfterAWhileOrARefusal() throws Exception {
            Path file = file("token", "one");
            var token = new TokenFile(file, now::get);
            assertThat(token.authorization()).isEqualTo("Bearer one");
            file("token", "two");
            assertThat(token.authorization()).isEqualTo("Bearer one");
            now.addAndGet(51_000_000_000L);
            assertThat(token.authorization()).isEqualTo("Bearer two");
            file("token", "three");
            token.refused("Bearer one");
            assertThat(token.authorization()).isEqualTo("Bearer two");
            token.refused("Bearer two");
            assertThat(token.authorization()).isEqualTo("Bearer three");
        }

        @Test
        @Tag("P-126")
        void keepTheOldTokenWhereTheFileIsGone() throws Exception {
            Path file = file("token", "one");
            var token = new TokenFile(file, now::get);
            token.authorization();
            Files.delete(file);
            now.addAndGet(51_000_000_000L);
            assertThat(token.authorization()).isEqualTo("Bearer one");
            Path empty = file("empty", " \n");
            assertThatThrownBy(() -> new TokenFile(empty, now::get).authorization())
                    .hasMessage("read empty token from file \"" + empty + "\"");
        }
    }

    @Nested
    class Programs {
        @Test
        @Tag("P-122")
        void handOutATokenThatIsKeptUntilItIsRefused() throws Exception {
            script(
                    """
                    echo x >> runs
                    echo "$KUBERNETES_EXEC_INFO" > info
                    echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
                      "status":{"token":"'$PREFIX-$1-$(wc -l < runs | tr -d " ")'","other":{"a":1}}}'
                    """);
            var credentials =
                    connection(
                                    exec(
                                            "args: [arg], env: [{name: PREFIX, value: pre}],"
                                                    + " provideClusterInfo: true"))
                            .credentials();
            assertThat(credentials.authorization()).isEqualTo("Bearer pre-arg-1");
            assertThat(credentials.authorization()).isEqualTo("Bearer pre-arg-1");
            credentials.refused("Bearer pre-arg-1");
            assertThat(credentials.authorization()).isEqualTo("Bearer pre-arg-2");
            assertThat(Files.readString(directory.resolve("info")))
                    .contains("\"apiVersion\":\"client.authentication.k8s.io/v1\"")
                    .contains("\"server\":\"https://x\"")
                    .contains("\"interactive\":false");
        }

        @Test
        void areAskedAgainWhenTheTokenHasExpired() throws Exception {
            script(
                    """
                    echo x >> runs
                    echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
                      "status":{"token":"t'$(wc -l < runs | tr -d " ")'",
                      "expirationTimestamp":"2020-01-01T00:00:00Z"}}'
                    """);
            var credentials = connection(exec("args: []")).credentials();
            assertThat(credentials.authorization()).isEqualTo("Bearer t1");
            assertThat(credentials.authorization()).isEqualTo("Bearer t2");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "exit 3                | failed with exit code 3",
                    "echo nonsense         | printed no valid ExecCredential",
                    "echo '{\"kind\":\"Pod\"}' | instead of ExecCredential",
                    "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\"}' | did not return a token",
                })
        void thatFailAreNamed(String body, String problem) throws Exception {
            script(body);
            var credentials = connection(exec("args: []")).credentials();
            assertThatThrownBy(credentials::authorization)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("users[0].user.exec")
                    .hasMessageContaining(problem);
        }

        @Test
        void thatDoNotExistAreNamedWithTheirHint() throws Exception {
            var credentials =
                    connection(exec("installHint: install it").replace("./plugin", "./none"))
                            .credentials();
            assertThatThrownBy(credentials::authorization)
                    .hasMessageContaining("not found")
                    .hasMessageContaining("install it");
        }

        private void script(String body) throws IOException {
            Path file =
                    file("plugin", "#!/bin/sh\ncd '" + directory + "' || exit 1\n" + body + "\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }

        private String exec(String more) {
            return single(
                    "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, "
                            + more
                            + "}");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api.example.com | example.com          | true",
                "api.example.com | .example.com,foo     | true",
                "api.example.com | *.example.com        | true",
                "api.example.com | other.com            | false",
                "notexample.com  | example.com          | false",
                "10.1.2.3        | 10.0.0.0/8           | true",
                "11.1.2.3        | 10.0.0.0/8           | false",
                "api             | *                    | true",
            })
    void noProxyExcludesHosts(String host, String noProxy, boolean excluded) {
        assertThat(Proxies.isExcluded(host, noProxy)).isEqualTo(excluded);
    }

    private static String single(String user) {
        return CLUSTER_AND_CONTEXT
                + """
                users:
                - name: u
                  user:
                    %s
                """
                        .formatted(user);
    }

    private Connection connection(String yaml) throws IOException {
        return KubeConfig.load(file("config", yaml)).connection(null);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }
}
