package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.handle.Log;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.app.Setup;
import io.berth.app.Wiring;
import io.berth.app.explain.LiveState;
import io.berth.controllers.Controllers;
import io.berth.controllers.client.ApiEndpoint;
import io.berth.engine.port.ClusterFeed;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.watch.ClusterWatch;
import io.berth.ui.WatchedCluster;
import io.berth.up.ClusterPicture.Happening;
import io.berth.up.scenario.Dump;
import io.berth.up.scenario.Scenario;
import io.berth.up.scenario.ScenarioRun;
import io.berth.up.scenario.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A cluster in this process: API server, simulated nodes and kubelets, demo workload and, unless
/// somebody brings others, the controllers and the scheduler. The parts talk to the API server over
/// HTTPS, as those of a real cluster do.
///
/// Closing stops the parts in reverse order, the API server last, and removes the kubeconfig.
final class LocalCluster implements AutoCloseable {
    private static final Duration CONTAINER_START = Duration.ofMillis(300);
    private static final Duration CONTAINER_STOP = Duration.ofMillis(500);
    private static final double UNLIMITED = -1;

    private final Log log;
    private final Deque<Part> parts = new ArrayDeque<>();
    private final EmbeddedApiServer server;
    private final KubeconfigFile kubeconfig;
    private final ClusterPicture picture;
    private final Optional<ScenarioRun> scenario;
    private Supplier<CompletableFuture<LiveState>> knowledge = CompletableFuture::new;
    private volatile boolean closing;

    private record Part(String name, Runnable stop) {}

    /// What the watches tell, told to two.
    private record Both(ClusterFeed first, ClusterFeed second) implements ClusterFeed {
        @Override
        public void seen(ClusterObject object) {
            first.seen(object);
            second.seen(object);
        }

        @Override
        public void gone(Kind kind, String namespace, String name) {
            first.gone(kind, namespace, name);
            second.gone(kind, namespace, name);
        }

        @Override
        public void synced(Kind kind) {
            first.synced(kind);
            second.synced(kind);
        }
    }

    /// Starts everything; returns when the scheduler runs, while pods may still be created.
    ///
    /// @param listener told of placements and of pods that stay pending
    /// @throws io.berth.apiserver.PortInUseException if another process has the port
    static LocalCluster start(
            UpOptions options, Log log, Consumer<ClusterPicture.Happening> listener)
            throws InterruptedException {
        List<ObjectNode> pods =
                options.demo()
                        ? DemoWorkload.create(options.podCount(), options.nodes())
                        : List.of();
        return start(options, pods, log, listener);
    }

    /// The same with other pods than the demo's, in its namespace.
    static LocalCluster start(
            UpOptions options,
            List<ObjectNode> pods,
            Log log,
            Consumer<ClusterPicture.Happening> listener)
            throws InterruptedException {
        return new LocalCluster(options, pods, log, listener);
    }

    private LocalCluster(
            UpOptions options,
            List<ObjectNode> pods,
            Log log,
            Consumer<ClusterPicture.Happening> listener)
            throws InterruptedException {
        this.log = log;
        var begin = Instant.now();
        server =
                EmbeddedApiServer.start(EmbeddedApiServer.Options.DEFAULT.withPort(options.port()));
        parts.push(new Part("API server", server::close));
        try {
            kubeconfig = KubeconfigFile.write(server.kubeconfig(), server.port());
            parts.push(new Part("kubeconfig", kubeconfig::close));
            Connection connection = KubeConfig.load(kubeconfig.path()).connection("");
            var client = new ApiClient(connection, client("up"));
            parts.push(new Part("client", client::close));
            var kubelet = new SimulatedKubelet(client, CONTAINER_START, CONTAINER_STOP, log);
            parts.push(new Part("kubelet", kubelet::close));
            picture = new ClusterPicture(begin, listener);
            startWatch(client, kubelet);
            // Before the scheduler starts, so that it judges no pod by some of the nodes.
            Creation.create(
                    client,
                    "/api/v1/nodes",
                    SimulatedNodes.create(options.nodes(), options.zones()));
            var writer = new Writer(client);
            if (options.devices()) {
                writer.apply(SimulatedNodes.devices(options.nodes()));
            }
            if (!options.from().isEmpty()) {
                writer.apply(Dump.read(Path.of(options.from())).objects());
            }
            scenario =
                    options.scenario().isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    new ScenarioRun(
                                            Scenario.find(options.scenario()),
                                            writer,
                                            picture,
                                            line -> listener.accept(new Happening.Told(line))));
            if (scenario.isPresent()) {
                scenario.get().createNodes();
            }
            if (options.controllers()) {
                Creation.create(
                        client, "/apis/storage.k8s.io/v1/storageclasses", StorageClasses.create());
                startControllers();
            }
            if (options.scheduler()) {
                startScheduler(connection);
            } else {
                startWatching(client, UpPage.kinds());
            }
            startDemo(client, pods, options.devices());
        } catch (RuntimeException | InterruptedException problem) {
            close();
            throw problem;
        }
    }

    Path kubeconfig() {
        return kubeconfig.path();
    }

    URI server() {
        return server.uri();
    }

    ClusterPicture picture() {
        return picture;
    }

    /// What is to happen, if anything is.
    Optional<ScenarioRun> scenario() {
        return scenario;
    }

    private void startWatch(ApiClient client, SimulatedKubelet kubelet) {
        var watch =
                ClusterWatch.start(
                        client,
                        Set.of(Kind.POD, Kind.NODE, Kind.RESOURCE_CLAIM),
                        new Both(picture, kubelet));
        parts.push(new Part("watch", watch::close));
    }

    private void startControllers() {
        var controllers = Controllers.start(new ApiEndpoint(server.uri(), server.clientTls(), ""));
        parts.push(new Part("controllers", controllers::close));
    }

    private void startScheduler(Connection connection) {
        var scheduler =
                Wiring.build(Setup.of(connection, client("scheduler"), log), log, _ -> {}).start();
        parts.push(new Part("scheduler", scheduler::abandon));
        knowledge = scheduler::knowledge;
    }

    /// Without a scheduler of ours the cluster itself is asked.
    private void startWatching(ApiClient client, Set<Kind> kinds) {
        var seen = new WatchedCluster();
        var watch = ClusterWatch.start(client, kinds, seen);
        parts.push(new Part("watch of everything", watch::close));
        knowledge = () -> CompletableFuture.completedFuture(LiveState.of(seen.image()));
    }

    /// What the scheduler knows now, or where there is none, what the cluster says.
    CompletableFuture<LiveState> knowledge() {
        return knowledge.get();
    }

    /// Creates the demo workload in the background, so that the first placements show at once.
    private void startDemo(ApiClient client, List<ObjectNode> pods, boolean devices) {
        if (pods.isEmpty()) {
            return;
        }
        Thread thread =
                Thread.ofVirtual().name("demo").start(() -> createDemo(client, pods, devices));
        parts.push(new Part("demo", thread::interrupt));
    }

    private void createDemo(ApiClient client, List<ObjectNode> pods, boolean devices) {
        String namespace = DemoWorkload.NAMESPACE;
        try {
            Creation.create(client, "/api/v1/namespaces", DemoWorkload.namespace());
            if (devices) {
                new Writer(client).apply(DeviceDemo.create());
            }
            Creation.create(client, "/api/v1/namespaces/" + namespace + "/pods", pods);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ApiException problem) {
            if (!closing) {
                log.error(problem, "The demo workload could not be created");
            }
        }
    }

    private static ClientOptions client(String use) {
        return ClientOptions.DEFAULT.withRate(UNLIMITED, 0).withUserAgent(ClientOptions.agent(use));
    }

    @Override
    public void close() {
        closing = true;
        while (!parts.isEmpty()) {
            Part part = parts.pop();
            long begin = System.nanoTime();
            try {
                part.stop.run();
            } catch (RuntimeException problem) {
                log.error(problem, "A part did not stop", "part", part.name);
            }
            var took = Duration.ofNanos(System.nanoTime() - begin);
            log.info(4, "Stopped a part", "part", part.name, "took", took);
        }
    }
}
