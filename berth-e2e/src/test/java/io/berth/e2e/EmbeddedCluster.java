package io.berth.e2e;

import io.berth.apiserver.EmbeddedApiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Berth's own API server in this JVM.
final class EmbeddedCluster implements Cluster, AutoCloseable {
    private final EmbeddedApiServer server;
    private final HttpApi admin;
    private final Path folder;
    private final Path adminKubeconfig;
    private final Path schedulerKubeconfig;
    private final AtomicInteger namespaces = new AtomicInteger();

    EmbeddedCluster() {
        server = EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT);
        admin = new HttpApi(server.uri(), server.clientTls());
        try {
            folder = Files.createTempDirectory("berth-embedded-");
            adminKubeconfig =
                    Files.writeString(folder.resolve("admin.kubeconfig"), server.kubeconfig());
            schedulerKubeconfig =
                    Files.writeString(
                            folder.resolve("scheduler.kubeconfig"),
                            server.kubeconfig("system:kube-scheduler", List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public HttpApi admin() {
        return admin;
    }

    /// A kubectl with all rights.
    Kubectl kubectl(Path binary) {
        return new Kubectl(binary, adminKubeconfig, folder);
    }

    @Override
    public Path schedulerKubeconfig() {
        return schedulerKubeconfig;
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public String freshNamespace() {
        return admin.createNamespace("test-" + namespaces.incrementAndGet());
    }

    @Override
    public void close() {
        admin.close();
        server.close();
        Folders.delete(folder);
    }
}
