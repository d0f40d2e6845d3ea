package io.berth.kube.connection;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection of a process that runs in a pod: the service account that the kubelet mounted.
public final class InCluster {
    private static final Logger log = LoggerFactory.getLogger(InCluster.class);
    private static final Path DIRECTORY = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private InCluster() {}

    /// Whether the process seems to run in a pod.
    static boolean isPossible(Map<String, String> environment) {
        return !environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()
                && !environment.getOrDefault("KUBERNETES_SERVICE_PORT", "").isEmpty()
                && Files.isRegularFile(DIRECTORY.resolve("token"));
    }

    /// @throws ConfigException where the process does not run in a pod
    public static Connection connection(Map<String, String> environment) {
        return connection(environment, DIRECTORY);
    }

    static Connection connection(Map<String, String> environment, Path directory) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        if (host.isEmpty() || port.isEmpty()) {
            throw new ConfigException(
                    "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and"
                            + " KUBERNETES_SERVICE_PORT must be defined");
        }
        var token = new TokenFile(directory.resolve("token"));
        // Fails now rather than at the first request.
        token.authorization();
        Path authority = directory.resolve("ca.crt");
        PemSource authorities = null;
        if (Files.isReadable(authority)) {
            authorities = new PemSource.InFile(authority, "in-cluster certificate authority");
        } else {
            log.atError()
                    .addKeyValue("file", authority)
                    .log("Expected to load root CA config, but it cannot be read");
        }
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        return new Connection(
                URI.create("https://" + bracketed + ":" + port),
                new Connection.Tls(authorities, false, null, null),
                null,
                token,
                Map.of());
    }
}
