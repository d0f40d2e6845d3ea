package io.berth.tools.page;

import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterImage;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Connections;
import io.berth.kube.connection.KubeConfig;
import io.berth.kube.watch.ClusterWatch;
import io.berth.lab.explain.ExplainException;
import io.berth.ui.WatchedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A cluster that is followed through its API server, with the rights of whoever looks.
final class FollowedCluster implements AutoCloseable {
    private static final List<String> NEEDED = List.of("/api/v1/nodes", "/api/v1/pods");

    private final ApiClient client;
    private final ClusterWatch watch;
    private final WatchedCluster seen;
    private final String title;

    private FollowedCluster(
            ApiClient client, ClusterWatch watch, WatchedCluster seen, String title) {
        this.client = client;
        this.watch = watch;
        this.seen = seen;
        this.title = title;
    }

    /// @throws ExplainException where pods and nodes may not be listed, or nobody answers
    static FollowedCluster follow(
            Optional<Path> kubeconfig,
            String context,
            Map<String, String> environment,
            Set<Kind> kinds) {
        try {
            var config =
                    kubeconfig.isPresent()
                            ? KubeConfig.load(kubeconfig.get())
                            : KubeConfig.fromEnvironment(environment);
            var chosen = context.isEmpty() ? config.currentContext() : context;
            var client =
                    new ApiClient(
                            connection(config, chosen, environment),
                            ClientOptions.DEFAULT
                                    .withRate(-1, 0)
                                    .withUserAgent(ClientOptions.agent("ui")));
            try {
                NEEDED.forEach(path -> check(client, path));
            } catch (ExplainException refused) {
                client.close();
                throw refused;
            }
            var seen = new WatchedCluster();
            var wanted = new TreeSet<>(kinds);
            wanted.addAll(List.of(Kind.NODE, Kind.POD));
            return new FollowedCluster(
                    client,
                    ClusterWatch.start(client, wanted, seen),
                    seen,
                    chosen.isEmpty() ? "cluster" : chosen);
        } catch (ConfigException unusable) {
            throw new ExplainException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static Connection connection(
            KubeConfig config, String context, Map<String, String> environment) {
        if (!config.isEmpty()) {
            return config.connection(context, null);
        }
        if (environment.containsKey("KUBERNETES_SERVICE_HOST")) {
            return Connections.resolve("", "", environment);
        }
        throw new ExplainException(
                "no cluster is configured: give --kubeconfig, set KUBECONFIG, or look at a dump with --from FILE");
    }

    private static void check(ApiClient client, String path) {
        try {
            client.send(ApiRequest.get(path + "?limit=1"));
        } catch (ApiException refused) {
            throw new ExplainException(
                    "cannot read %s from the cluster at %s: %s"
                            .formatted(path, client.server(), refused.getMessage()),
                    refused);
        }
    }

    String title() {
        return title;
    }

    ClusterImage image() {
        return seen.image();
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
