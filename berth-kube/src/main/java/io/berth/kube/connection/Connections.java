package io.berth.kube.connection;

import java.util.Map;
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
            var config = KubeConfig.load(FilePaths.of(kubeconfig, "kubeconfig"));
            if (!config.isEmpty()) {
                return config.connection(master).checked();
            }
        }
        return withoutFile(kubeconfig, master, environment);
    }

    /// A file that says nothing is like none.
    private static Connection withoutFile(
            String kubeconfig, String master, Map<String, String> environment) {
        if (!master.isEmpty()) {
            return Connection.plain(KubeConfig.serverUri(master, "--master"));
        }
        String fallback = environment.getOrDefault("KUBERNETES_MASTER", "");
        if (!fallback.isEmpty()) {
            return Connection.plain(KubeConfig.serverUri(fallback, "KUBERNETES_MASTER"));
        }
        if (InCluster.isPossible(environment)) {
            return InCluster.connection(environment);
        }
        throw nothingGiven(kubeconfig);
    }

    private static ConfigException nothingGiven(String kubeconfig) {
        return new ConfigException(
                (kubeconfig.isEmpty() ? "" : "kubeconfig " + kubeconfig + " names no cluster: ")
                        + "invalid configuration: no configuration has been provided, try setting"
                        + " KUBERNETES_MASTER environment variable");
    }
}
