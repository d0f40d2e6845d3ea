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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/// A real etcd and kube-apiserver on loopback, with their data in a temporary folder.
///
/// There are no controllers and no kubelet: a deleted pod that is bound stays Terminating unless
/// its grace period is zero, and a deleted namespace stays for ever, so every test takes a [fresh
/// one][#freshNamespace]. New nodes carry no taints of their own, and pods need no service account.
///
/// Both processes may be paused, killed and started again for fault tests; they keep their ports
/// and their data. After that, [#awaitReady] waits until the API is usable again.
public final class ControlPlane implements Cluster, AutoCloseable {
    private static final Duration READY_LIMIT = Duration.ofMinutes(3);
    private static final int START_ATTEMPTS = 3;

    private final Binaries.Found binaries;
    private final Path folder;
    private final Ports ports;
    private final CertificateAuthority authority = CertificateAuthority.create("berth-e2e");
    private final ChildProcess etcd;
    private final ChildProcess apiServer;
    private final HttpApi etcdApi;
    private final SSLContext adminTls;
    private final HttpApi admin;
    private final Path adminKubeconfig;
    private final Path schedulerKubeconfig;
    private final AtomicInteger namespaces = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread closeOnExit = new Thread(this::close, "close the control plane");

    private ControlPlane(Binaries.Found binaries, List<String> apiServerFlags) throws IOException {
        this.binaries = binaries;
        this.folder = Files.createTempDirectory("berth-control-plane-");
        this.ports = Ports.free();
        this.etcd = new ChildProcess("etcd", etcdCommand(), folder.resolve("etcd.log"));
        this.apiServer =
                new ChildProcess(
                        "kube-apiserver",
                        apiServerCommand(apiServerFlags),
                        folder.resolve("kube-apiserver.log"));
        this.etcdApi = HttpApi.plain(URI.create("http://127.0.0.1:" + ports.etcdClient()));

        Credentials adminUser = authority.user("admin", List.of("system:masters"));
        this.adminTls = authority.tlsFor(adminUser);
        this.admin = new HttpApi(url(), adminTls);
        this.adminKubeconfig =
                Kubeconfig.write(folder.resolve("admin.kubeconfig"), url(), authority, adminUser);
        this.schedulerKubeconfig = userKubeconfig("system:kube-scheduler");
    }

    /// Starts both and waits until the API is usable. `apiServerFlags` are added to ours.
    public static ControlPlane start(Binaries.Found binaries, String... apiServerFlags) {
        for (int attempt = 1; ; attempt++) {
            ControlPlane plane = null;
            try {
                plane = new ControlPlane(binaries, List.of(apiServerFlags));
                Runtime.getRuntime().addShutdownHook(plane.closeOnExit);
                plane.etcd.start();
                plane.awaitEtcd();
                plane.apiServer.start();
                plane.awaitReady();
                return plane;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot prepare a control plane", e);
            } catch (IllegalStateException e) {
                boolean again = attempt < START_ATTEMPTS && plane != null && plane.lostAPort();
                if (plane != null) {
                    plane.close();
                }
                if (!again) {
                    throw e;
                }
            }
        }
    }

    /// Where the API is served.
    public URI url() {
        return URI.create("https://127.0.0.1:" + ports.api());
    }

    @Override
    public HttpApi admin() {
        return admin;
    }

    /// The TLS settings of a client with all rights.
    public SSLContext adminTls() {
        return adminTls;
    }

    /// The kubeconfig of a user with all rights.
    public Path adminKubeconfig() {
        return adminKubeconfig;
    }

    /// The kubeconfig of the user `system:kube-scheduler`, with exactly the rights that a cluster
    /// gives to its scheduler.
    @Override
    public Path schedulerKubeconfig() {
        return schedulerKubeconfig;
    }

    /// Writes the kubeconfig of any other user.
    public Path userKubeconfig(String user, String... groups) {
        Path file = folder.resolve(user.replaceAll("[^A-Za-z0-9-]", "_") + ".kubeconfig");
        try {
            return Kubeconfig.write(file, url(), authority, authority.user(user, List.of(groups)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes a kubeconfig of the user `system:kube-scheduler` that leads through another port of
    /// this machine, for example that of a proxy.
    public Path schedulerKubeconfigThrough(int port) {
        try {
            return Kubeconfig.write(
                    folder.resolve("through-" + port + ".kubeconfig"),
                    URI.create("https://127.0.0.1:" + port),
                    authority,
                    authority.user("system:kube-scheduler", List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A client that acts as any other user.
    public HttpApi as(String user, String... groups) {
        return new HttpApi(url(), authority.tlsFor(authority.user(user, List.of(groups))));
    }

    /// The programs that it runs.
    public Binaries.Found binaries() {
        return binaries;
    }

    /// The kubectl of the same version, with all rights.
    public Kubectl kubectl() {
        return new Kubectl(binaries.kubectl(), adminKubeconfig, folder);
    }

    /// Another kubectl, with all rights.
    public Kubectl kubectl(Path binary) {
        return new Kubectl(binary, adminKubeconfig, folder);
    }

    public ChildProcess etcd() {
        return etcd;
    }

    public ChildProcess apiServer() {
        return apiServer;
    }

    /// Where logs, certificates and kubeconfigs are; gone after [#close].
    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public String freshNamespace() {
        return admin.createNamespace("test-" + namespaces.incrementAndGet());
    }

    /// Waits until the API server says it is ready and has made the namespaces of the system.
    public void awaitReady() {
        apiServer.await(
                "ready",
                READY_LIMIT,
                () ->
                        admin.answers("/readyz")
                                && admin.answers("/api/v1/namespaces/default")
                                && admin.answers("/api/v1/namespaces/kube-system"));
    }

    /// Starts the real kube-scheduler and waits until it is healthy. It elects a leader unless told
    /// otherwise by `flags`.
    public SchedulerProcess startScheduler(String... flags) {
        SchedulerProcess scheduler = start(SchedulerProgram.kubeScheduler(binaries), flags);
        try {
            return scheduler.awaitHealthy();
        } catch (IllegalStateException e) {
            scheduler.close();
            throw e;
        }
    }

    /// Starts the real kube-controller-manager, which tells nobody how it is.
    ///
    /// @param program where it is
    /// @param flags added to ours
    public ChildProcess startControllerManager(Path program, String... flags) {
        var command =
                new ArrayList<>(
                        List.of(
                                program.toString(),
                                "--kubeconfig=" + adminKubeconfig,
                                "--leader-elect=false",
                                "--secure-port=0",
                                "--kube-api-qps=500",
                                "--kube-api-burst=1000"));
        command.addAll(List.of(flags));
        return new ChildProcess(
                        "kube-controller-manager",
                        command,
                        folder.resolve("kube-controller-manager.log"))
                .start();
    }

    /// Makes etcd forget all revisions before the newest one and returns that one. Watches and
    /// lists that ask for an older one get 410 from then on, unless the API server still has it in
    /// its own cache; restart it to empty the cache.
    public long compactEtcd() {
        // "AA==" is the smallest key; the header of any answer tells the revision.
        var range = etcdApi.post("/v3/kv/range", "{\"key\":\"AA==\",\"count_only\":true}");
        long revision = range.ok().at("/header/revision").asLong();
        etcdApi.post(
                        "/v3/kv/compaction",
                        "{\"revision\":\"%d\",\"physical\":true}".formatted(revision))
                .ok();
        return revision;
    }

    /// Kills both processes and deletes their data.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        apiServer.close();
        etcd.close();
        admin.close();
        etcdApi.close();
        Folders.delete(folder);
        try {
            Runtime.getRuntime().removeShutdownHook(closeOnExit);
        } catch (IllegalStateException alreadyExiting) {
            // The JVM ends: either this is the hook, or it finds nothing to do.
        }
    }

    CertificateAuthority authority() {
        return authority;
    }

    private void awaitEtcd() {
        etcd.await("healthy", READY_LIMIT, () -> etcdApi.answers("/health"));
    }

    /// A free port was taken by somebody else between our look and the process's start.
    private boolean lostAPort() {
        return etcd.logTail().contains("address already in use")
                || apiServer.logTail().contains("address already in use");
    }

    private List<String> etcdCommand() {
        String client = "http://127.0.0.1:" + ports.etcdClient();
        String peer = "http://127.0.0.1:" + ports.etcdPeer();
        return List.of(
                binaries.etcd().toString(),
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                // The data dies with the folder, so it need not survive a power cut.
                "--unsafe-no-fsync",
                "--log-level=warn");
    }

    private List<String> apiServerCommand(List<String> moreFlags) throws IOException {
        Path certificates = Files.createDirectory(folder.resolve("certificates"));
        Credentials serving = authority.server("kubernetes.default.svc");
        var signing = CertificateAuthority.newSigningKey();
        // The server refuses to use one authority for users and for proxies that name users.
        String proxyAuthority = CertificateAuthority.create("berth-e2e-proxies").certificatePem();

        var command = new ArrayList<String>();
        command.add(binaries.apiServer().toString());
        command.add("--etcd-servers=http://127.0.0.1:" + ports.etcdClient());
        command.add("--bind-address=127.0.0.1");
        command.add("--secure-port=" + ports.api());
        command.add("--cert-dir=" + certificates);
        command.add(
                "--tls-cert-file=" + file(certificates, "serving.crt", serving.certificatePem()));
        command.add(
                "--tls-private-key-file=" + file(certificates, "serving.key", serving.keyPem()));
        command.add("--client-ca-file=" + file(certificates, "ca.crt", authority.certificatePem()));
        command.add(
                "--requestheader-client-ca-file="
                        + file(certificates, "proxy-ca.crt", proxyAuthority));
        command.add("--authorization-mode=RBAC");
        command.add("--service-account-issuer=https://kubernetes.default.svc");
        command.add(
                "--service-account-signing-key-file="
                        + file(certificates, "tokens.key", signing.privateKey()));
        command.add(
                "--service-account-key-file="
                        + file(certificates, "tokens.pub", signing.publicKey()));
        command.add("--service-cluster-ip-range=10.0.0.0/24");
        // No controller makes service accounts, and none takes the not-ready taint off a node.
        command.add("--disable-admission-plugins=ServiceAccount,TaintNodesByCondition");
        command.add("--endpoint-reconciler-type=none");
        command.addAll(moreFlags);
        return command;
    }

    private static Path file(Path folder, String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }
}
