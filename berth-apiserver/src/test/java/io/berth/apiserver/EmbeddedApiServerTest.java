package io.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.apiserver.EmbeddedApiServer.Options;
import io.berth.apiserver.conformance.Answer;
import io.berth.apiserver.conformance.ApiUnderTest;
import io.berth.apiserver.conformance.Client;
import io.berth.apiserver.conformance.WatchStream;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EmbeddedApiServerTest {
    @Test
    void busyPortIsNamed() throws Exception {
        try (var other = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            assertThatThrownBy(() -> EmbeddedApiServer.start(Options.DEFAULT.withPort(port)))
                    .isInstanceOfSatisfying(
                            PortInUseException.class, e -> assertThat(e.port()).isEqualTo(port))
                    .hasMessageContaining("port " + port);
        }
    }

    @Test
    void certificateAndTokenBothOpenTheDoor() {
        try (var server = EmbeddedApiServer.start(Options.DEFAULT)) {
            var byCertificate =
                    new Client(
                            new ApiUnderTest(server.uri(), server.clientTls(), ""),
                            HttpClient.Version.HTTP_2);
            Answer self =
                    byCertificate.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
            assertThat(self.at("/status/userInfo/username")).isEqualTo("kubernetes-admin");
            assertThat(Servers.client(server).get("/api/v1/nodes").code()).isEqualTo(200);
            var stranger =
                    new Client(
                            new ApiUnderTest(server.uri(), TestTls.trusting(server), ""),
                            HttpClient.Version.HTTP_2);
            assertThat(stranger.get("/api/v1/nodes").code()).isEqualTo(401);
            assertThat(stranger.get("/healthz").code()).isEqualTo(200);
            assertThat(stranger.get("/version").code()).isEqualTo(200);
        }
    }

    @Test
    void rolesAreKeptUnderNamesThatNoOtherKindMayHave() {
        try (var server = EmbeddedApiServer.start(Options.DEFAULT)) {
            Client client = Servers.client(server);
            String bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
            Answer made =
                    client.post(
                            bindings,
                            """
                            {"metadata":{"name":"example:reader"},"roleRef":{"kind":"ClusterRole","name":"view"},
                             "subjects":[{"kind":"ServiceAccount","name":"a","namespace":"b"},{"kind":"User","name":"c"}]}\
                            """);
            assertThat(made.code()).isEqualTo(201);
            assertThat(made.at("/roleRef/apiGroup")).isEqualTo("rbac.authorization.k8s.io");
            assertThat(made.at("/subjects/0/apiGroup")).isEmpty();
            assertThat(made.at("/subjects/1/apiGroup")).isEqualTo("rbac.authorization.k8s.io");
            assertThat(client.get(bindings + "/example:reader").code()).isEqualTo(200);
        }
    }

    @Test
    void freshClusterHasItsNamespacesAndPriorityClasses() {
        try (var server = EmbeddedApiServer.start(Options.DEFAULT)) {
            Client client = Servers.client(server);
            for (String name :
                    List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
                assertThat(client.get("/api/v1/namespaces/" + name).at("/status/phase"))
                        .isEqualTo("Active");
            }
            String classes = "/apis/scheduling.k8s.io/v1/priorityclasses/";
            assertThat(client.get(classes + "system-node-critical").at("/value"))
                    .isEqualTo("2000001000");
            assertThat(
                            client.get(
                                            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")
                                    .at("/data/client-ca-file"))
                    .startsWith("-----BEGIN CERTIFICATE-----");
        }
    }

    @Test
    void kubeconfigHoldsEverything() {
        try (var server = EmbeddedApiServer.start(Options.DEFAULT)) {
            assertThat(server.kubeconfig())
                    .contains("server: https://127.0.0.1:" + server.port())
                    .contains("client-certificate-data: ")
                    .contains("client-key-data: ");
            assertThat(server.tokenKubeconfig()).contains("token: " + server.token());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
    void stopEndsOpenWatchesPromptly(String version) {
        var server = EmbeddedApiServer.start(Options.DEFAULT);
        Client client = Servers.client(server, HttpClient.Version.valueOf(version));
        try (WatchStream watch = client.watch("/api/v1/pods?watch=1")) {
            assertThat(watch.code()).isEqualTo(200);
            long start = System.nanoTime();
            server.close();
            // Generous against a busy machine; a stop that waits for its watches would need
            // minutes.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofMinutes(1));
            assertThat(watch.rest()).isEmpty();
        }
    }

    @Test
    void deletedNamespaceGoesWithItsContent() {
        try (var server = EmbeddedApiServer.start(Options.DEFAULT)) {
            Client client = Servers.client(server);
            client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"x\"}}");
            client.post("/api/v1/namespaces/x/pods", Servers.pod("p"));
            client.post(
                    "/api/v1/namespaces/x/pods/p/binding",
                    "{\"metadata\":{\"name\":\"p\"},\"target\":{\"name\":\"n\"}}");
            client.post("/api/v1/namespaces/x/configmaps", Servers.configMap("m", "1"));
            assertThat(client.delete("/api/v1/namespaces/x").at("/status/phase"))
                    .isEqualTo("Terminating");
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() ->
                            assertThat(client.get("/api/v1/namespaces/x").code()).isEqualTo(404));
            assertThat(client.get("/api/v1/namespaces/x/pods").body().path("items")).isEmpty();
        }
    }

    @Test
    void requestThatIsNoHttpIsAnsweredOrClosed() throws Exception {
        try (var server = EmbeddedApiServer.start(Options.DEFAULT);
                var socket =
                        TestTls.trusting(server)
                                .getSocketFactory()
                                .createSocket("127.0.0.1", server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(
                            "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"
                                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            String answer =
                    new String(
                            socket.getInputStream().readNBytes(15),
                            java.nio.charset.StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 400");
        }
    }
}
