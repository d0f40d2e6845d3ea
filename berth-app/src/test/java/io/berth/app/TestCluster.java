package io.berth.app;

import static org.awaitility.Awaitility.await;

import io.berth.apiserver.EmbeddedApiServer;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.KubeConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/// An API server in this process, and a client that plays the user.
final class TestCluster implements AutoCloseable {
    private final Path directory;
    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
    private final ApiClient client;

    /// @param directory for files
    TestCluster(Path directory) throws IOException {
        this.directory = directory;
        this.client =
                new ApiClient(
                        KubeConfig.load(kubeconfig()).connection(""),
                        ClientOptions.DEFAULT.withRate(-1, 0));
    }

    Path kubeconfig() throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
    }

    /// For a client that takes a detour.
    Path kubeconfig(URI instead) throws IOException {
        return Files.writeString(
                directory.resolve("detour"),
                server.kubeconfig().replaceAll("server: \\S+", "server: " + instead));
    }

    URI uri() {
        return server.uri();
    }

    int port() {
        return server.port();
    }

    /// The credentials of an administrator.
    SSLContext tls() {
        return server.clientTls();
    }

    /// The token of an administrator.
    String token() {
        return server.token();
    }

    ApiClient client() {
        return client;
    }

    void createNode(String name, int pods) {
        create(
                "/api/v1/nodes",
                """
                {"metadata": {"name": "%s"}, "status": {
                  "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "%d"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """
                        .formatted(name, pods));
    }

    void createPod(String name) {
        createPod(name, "");
    }

    /// @param more further fields of its spec, each followed by a comma
    void createPod(String name, String more) {
        create(
                "/api/v1/namespaces/default/pods",
                """
                {"metadata": {"name": "%s"},
                  "spec": {%s "containers": [{"name": "c", "image": "i"}]}}
                """
                        .formatted(name, more));
    }

    void create(String path, String body) {
        client.send(ApiRequest.create(path, body.getBytes(StandardCharsets.UTF_8)));
    }

    String pod(String name) {
        return client.send(ApiRequest.get("/api/v1/namespaces/default/pods/" + name)).text();
    }

    void awaitPod(String name, String text) {
        await().atMost(RunningScheduler.PATIENCE).until(() -> pod(name).contains(text));
    }

    void awaitBound(String name) {
        awaitPod(name, "\"nodeName\":");
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
