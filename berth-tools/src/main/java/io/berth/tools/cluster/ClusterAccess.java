package io.berth.tools.cluster;

import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.flag.Flag;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Connections;
import io.berth.kube.connection.KubeConfig;
import io.berth.lab.explain.ExplainException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// The way to a cluster: a kubeconfig, or the service account of the pod that this runs in.
///
/// @param context of the kubeconfig
/// @param namespace the one that is meant where none is given
public record ClusterAccess(Connection connection, String context, String namespace) {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(8);

    /// The flag that names a kubeconfig.
    public static Flag kubeconfigFlag(String group) {
        return new Flag(
                group,
                "kubeconfig",
                (char) 0,
                STRING,
                "",
                "Kubeconfig file; KUBECONFIG or ~/.kube/config where none is given.");
    }

    /// The flag that names a context of it.
    public static Flag contextFlag(String group) {
        return new Flag(group, "context", (char) 0, STRING, "", "Context of the kubeconfig.");
    }

    /// @param kubeconfig `KUBECONFIG`, or that of the home folder, where none is given
    /// @param context the current one where it is empty
    /// @throws ExplainException where there is no way
    public static ClusterAccess find(
            Optional<Path> kubeconfig, String context, Map<String, String> environment) {
        try {
            var config =
                    kubeconfig.isPresent()
                            ? KubeConfig.load(kubeconfig.get())
                            : KubeConfig.fromEnvironment(environment);
            var chosen = context.isEmpty() ? config.currentContext() : context;
            return new ClusterAccess(
                    connection(config, chosen, environment), chosen, config.namespace(chosen));
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
                "no cluster is configured: give --kubeconfig, set KUBECONFIG, or read a dump with --from FILE");
    }

    /// @param use what it is for, which the API server's log shows
    public ApiClient client(String use) {
        return new ApiClient(connection, options(use));
    }

    /// How requests are sent.
    public ClientOptions options(String use) {
        var usual = ClientOptions.DEFAULT;
        return new ClientOptions(
                0,
                0,
                CONNECT_LIMIT,
                usual.requestTimeout(),
                usual.readIdle(),
                usual.pingTimeout(),
                ClientOptions.agent(use),
                usual.accept());
    }
}
