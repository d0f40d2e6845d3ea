package io.berth.kube.client;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out which API server to talk to, from the settings `clientConnection.kubeconfig` and
/// `--master` (contract rule P-120).
public final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    private Connections() {}

    /// @param kubeconfig a file, or empty
    /// @param master an address that goes before the file's, or empty
    /// @throws ConfigException where nothing says where to connect to, or what says so is wrong
    public static Connection resolve(
            String kubeconfig, String master, Map<String, String> environment) {
        if (kubeconfig.isEmpty() && master.isEmpty()) {
            log.atWarn()
                    .log(
                            "Neither --kubeconfig nor --master was specified.  Using the"
                                    + " inClusterConfig.  This might not work.");
            try {
                return InCluster.connection(environment);
            } catch (ConfigException outside) {
                log.atWarn()
                        .log(
                                "error creating inClusterConfig, falling back to default config: "
                                        + outside.getMessage());
            }
        }
        if (!kubeconfig.isEmpty()) {
            return fromFile(Path.of(kubeconfig), master);
        }
        String server = master.isEmpty() ? fallbackServer(environment) : master;
        if (server == null) {
            throw nothingGiven();
        }
        return Connection.plain(KubeConfig.serverUri(server, "--master"));
    }

    private static Connection fromFile(Path file, String master) {
        var config = KubeConfig.load(file);
        if (config.isEmpty()) {
            if (master.isEmpty()) {
                throw nothingGiven();
            }
            return Connection.plain(KubeConfig.serverUri(master, "--master"));
        }
        return config.connection(master);
    }

    private static @Nullable String fallbackServer(Map<String, String> environment) {
        String server = environment.get("KUBERNETES_MASTER");
        return server == null || server.isEmpty() ? null : server;
    }

    private static ConfigException nothingGiven() {
        return new ConfigException(
                "invalid configuration: no configuration has been provided, try setting"
                        + " KUBERNETES_MASTER environment variable");
    }
}
