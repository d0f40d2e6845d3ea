package io.berth.e2e;

import io.berth.e2e.CertificateAuthority.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A scheduler that runs as its own process, seen only from outside: its log, its HTTPS port, its
/// exit status, and what it does to the cluster.
public final class SchedulerProcess implements AutoCloseable {
    private static final Duration HEALTHY_LIMIT = Duration.ofMinutes(3);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

    private final ChildProcess process;
    private final HttpApi api;

    private SchedulerProcess(ChildProcess process, HttpApi api) {
        this.process = process;
        this.api = api;
    }

    static SchedulerProcess start(SchedulerProgram program, Cluster cluster, String... flags) {
        try {
            Path folder = Files.createTempDirectory(cluster.folder(), program.name() + "-");
            int port = Ports.freeOne();
            CertificateAuthority authority = authorityOf(cluster);
            List<String> command = command(program, cluster, folder, port, authority);
            command.addAll(List.of(flags));

            Credentials admin = authority.user("admin", List.of("system:masters"));
            var api = new HttpApi(URI.create("https://127.0.0.1:" + port), authority.tlsFor(admin));
            var process = new ChildProcess(program.name(), command, folder.resolve("log"));
            return new SchedulerProcess(process.start(), api);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare " + program.name(), e);
        }
    }

    /// The running program: its log, signals and exit status.
    public ChildProcess process() {
        return process;
    }

    /// Its own HTTPS endpoints. On a real control plane the caller is an administrator, elsewhere
    /// somebody unknown, who may only ask for health.
    public HttpApi api() {
        return api;
    }

    /// Waits until it says that it is healthy.
    public SchedulerProcess awaitHealthy() {
        process.await("healthy", HEALTHY_LIMIT, () -> api.answers("/healthz"));
        return this;
    }

    /// Stops it as an operator would, which lets go of a lease that it holds, and returns its exit
    /// status. Kills it if it does not end in time.
    public int stop() {
        return process.stop(STOP_LIMIT);
    }

    @Override
    public void close() {
        try (api) {
            if (process.running()) {
                stop();
            }
        }
    }

    private static List<String> command(
            SchedulerProgram program,
            Cluster cluster,
            Path folder,
            int port,
            CertificateAuthority authority)
            throws IOException {
        var command = new ArrayList<String>();
        if (!program.environment().isEmpty()) {
            command.add("env");
            program.environment().forEach((name, value) -> command.add(name + "=" + value));
        }
        command.add(program.file().toString());
        command.add("--kubeconfig=" + cluster.schedulerKubeconfig());
        command.addAll(servingFlags(cluster, folder, port, authority));
        return command;
    }

    private static List<String> servingFlags(
            Cluster cluster, Path folder, int port, CertificateAuthority authority)
            throws IOException {
        Path kubeconfig = cluster.schedulerKubeconfig();
        Credentials serving = authority.server();
        Path certificate = folder.resolve("serving.crt");
        Path key = folder.resolve("serving.key");
        Files.writeString(certificate, serving.certificatePem());
        Files.writeString(key, serving.keyPem());
        return List.of(
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--tls-cert-file=" + certificate,
                "--tls-private-key-file=" + key);
    }

    /// The control plane's own authority, so that the scheduler accepts the administrator that it
    /// signed for; a new one where there is none to be had.
    private static CertificateAuthority authorityOf(Cluster cluster) {
        return cluster instanceof ControlPlane plane
                ? plane.authority()
                : CertificateAuthority.create("berth-e2e-scheduler");
    }
}
