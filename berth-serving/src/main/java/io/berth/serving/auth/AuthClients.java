package io.berth.serving.auth;

import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.InCluster;
import io.berth.kube.connection.KubeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Clients for questions about callers: from a kubeconfig, else from the pod that we run in, else
/// none.
public final class AuthClients {
    private static final double QUERIES_PER_SECOND = 200;
    private static final int BURST = 400;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private AuthClients() {}

    /// @param purpose `authentication` or `authorization`
    /// @throws ConfigException if the kubeconfig cannot be used
    public static Optional<ApiClient> connect(
            Optional<Path> kubeconfig, String purpose, Map<String, String> environment) {
        ClientOptions options =
                ClientOptions.DEFAULT
                        .withRate(QUERIES_PER_SECOND, BURST)
                        .withRequestTimeout(TIMEOUT)
                        .withUserAgent(ClientOptions.agent(purpose));
        return connection(kubeconfig, purpose, environment)
                .map(found -> new ApiClient(found, options));
    }

    private static Optional<Connection> connection(
            Optional<Path> kubeconfig, String purpose, Map<String, String> environment) {
        if (kubeconfig.isPresent()) {
            try {
                return Optional.of(KubeConfig.load(kubeconfig.get()).connection(""));
            } catch (ConfigException broken) {
                throw new ConfigException(
                        "failed to get delegated %s kubeconfig: %s"
                                .formatted(purpose, broken.getMessage()),
                        broken);
            }
        }
        try {
            return Optional.of(InCluster.connection(environment));
        } catch (ConfigException outside) {
            return Optional.empty();
        }
    }
}
