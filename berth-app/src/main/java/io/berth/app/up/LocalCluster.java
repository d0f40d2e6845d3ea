package io.berth.app.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.api.model.Kind;
import io.berth.apiserver.EmbeddedApiServer;
import io.berth.app.Wiring;
import io.berth.engine.port.Log;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.Connection;
import io.berth.kube.client.KubeConfig;
import io.berth.kube.watch.ClusterWatch;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/// A cluster in this process: API server, simulated nodes and kubelets, scheduler, demo workload.
/// The parts talk to the API server over HTTPS, as those of a real cluster do.
///
/// Closing stops the parts in reverse order, the API server last, and removes the kubeconfig.
final class LocalCluster implements AutoCloseable {
    private static final Duration CONTAINER_START = Duration.ofMillis(300);
    private static final Duration CONTAINER_STOP = Duration.ofMillis(500);
    private static final double UNLIMITED = -1;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Log log;
    private final EmbeddedApiServer server;
    private final KubeconfigFile kubeconfig;
    private final ClusterPicture picture;
    private volatile boolean closing;

    /// Starts everything; returns when the scheduler runs, while pods may still be created.
    ///
    /// @param listener told of placements and of pods that stay pending
    /// @throws io.berth.apiserver.PortInUseException if another process has the port
    static LocalCluster start(
            UpOptions options, Log log, Consumer<ClusterPicture.Happening> listener)
            throws InterruptedException {
        return new LocalCluster(options, log, listener);
    }

    private LocalCluster(UpOptions options, Log log, Consumer<ClusterPicture.Happening> listener)
            throws InterruptedException {
        this.log = log;
        server =
                part(
                        EmbeddedApiServer.start(
                                EmbeddedApiServer.Options.DEFAULT.withPort(options.port())));
        try {
            kubeconfig = part(KubeconfigFile.write(server.kubeconfig(), server.port()));
            Connection connection = KubeConfig.load(kubeconfig.path()).connection("");
            ApiClient client = part(new ApiClient(connection, client("up")));
            var kubelet = part(new SimulatedKubelet(client, CONTAINER_START, CONTAINER_STOP, log));
            picture = new ClusterPicture(processStart(), kubelet::observe, listener);
            Creation.create(
                    client,
                    "/api/v1/nodes",
                    SimulatedNodes.create(options.nodes(), options.zones()));
            part(ClusterWatch.start(client, EnumSet.of(Kind.POD, Kind.NODE), picture));
            part(Wiring.start(connection, client("scheduler"), log, _ -> {}));
            if (options.demo()) {
                part(startDemo(client, options));
            }
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

    private static Instant processStart() {
        return ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    private static ClientOptions client(String use) {
        return ClientOptions.DEFAULT.withRate(UNLIMITED, 0).withUserAgent(ClientOptions.agent(use));
    }

    /// Creates the demo workload in the background, so that the first placements show at once.
    private AutoCloseable startDemo(ApiClient client, UpOptions options) {
        int count =
                options.pods() == UpOptions.PODS_BY_TEMPLATE
                        ? DemoWorkload.DEFAULT_PODS
                        : options.pods();
        List<ObjectNode> pods = DemoWorkload.create(count, options.nodes());
        Thread thread = Thread.ofVirtual().name("demo").start(() -> createDemo(client, pods));
        return () -> {
            thread.interrupt();
            thread.join(Duration.ofMillis(500));
        };
    }

    private void createDemo(ApiClient client, List<ObjectNode> pods) {
        try {
            Creation.create(client, "/api/v1/namespaces", DemoWorkload.namespace());
            Creation.create(client, "/api/v1/namespaces/" + DemoWorkload.NAMESPACE + "/pods", pods);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ApiException problem) {
            if (!closing) {
                log.error(problem, "The demo workload could not be created");
            }
        }
    }

    @Override
    public void close() {
        closing = true;
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            } catch (Exception problem) {
                log.error(problem, "A part did not stop", "part", part.getClass().getSimpleName());
            }
        }
    }
}
