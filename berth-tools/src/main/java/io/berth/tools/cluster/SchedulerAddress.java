package io.berth.tools.cluster;

import static io.berth.app.flag.FlagType.BOOL;
import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.flag.Flag;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.FlagType;
import io.berth.app.flag.ParsedFlags;
import io.berth.config.text.GoText;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Credentials;
import io.berth.kube.connection.PemSource;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Where a scheduler at work answers.
///
/// Whoever answers is recognised by the cluster's authority, or one that is given. Where any server
/// is believed, only a client certificate is shown: a token would be given away.
///
/// @param server address and port, or a URL; empty where none is given
/// @param authority that signed its certificate; empty: the cluster's
/// @param isInsecure whether any server is believed
public record SchedulerAddress(String server, Optional<Path> authority, boolean isInsecure) {
    /// The flag that names it.
    public static Flag serverFlag(String group) {
        return flag(
                group,
                "scheduler",
                STRING,
                "Address and port of a Berth at work, such as 10.0.0.1:10259; BERTH_SCHEDULER where"
                        + " none is given. It is shown the credentials of the kubeconfig.");
    }

    /// The flag that says whom to believe.
    public static Flag authorityFlag(String group) {
        return flag(
                group,
                "scheduler-ca",
                STRING,
                "File with the authority that signed the scheduler's certificate; the cluster's"
                        + " where none is given.");
    }

    /// The flag to believe anybody.
    public static Flag insecureFlag(String group) {
        return flag(
                group,
                "scheduler-insecure",
                BOOL,
                "Believe any server at --scheduler; only a client certificate is shown to it then,"
                        + " no token.");
    }

    private static Flag flag(String group, String name, FlagType type, String help) {
        return new Flag(group, name, (char) 0, type, "", help);
    }

    /// @param isNeeded whether there has to be one
    public static SchedulerAddress of(
            ParsedFlags flags, Map<String, String> environment, boolean isNeeded)
            throws FlagException {
        var server =
                flags.text("scheduler").orElse(environment.getOrDefault("BERTH_SCHEDULER", ""));
        if (server.isEmpty() && isNeeded) {
            throw new FlagException(
                    "--from scheduler needs its address: give --scheduler HOST:PORT");
        }
        if (!server.isEmpty() && !isAddress(server)) {
            throw new FlagException(
                    "--scheduler must be an address and a port such as 10.0.0.1:10259, not "
                            + GoText.quote(server));
        }
        return new SchedulerAddress(
                server, flags.path("scheduler-ca"), flags.isTrue("scheduler-insecure"));
    }

    private static boolean isAddress(String server) {
        try {
            var url = url(server);
            return "https".equals(url.getScheme()) && url.getHost() != null && url.getPort() > 0;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static URI url(String server) {
        return URI.create(server.contains("://") ? server : "https://" + server);
    }

    /// @param cluster whose credentials are shown
    public Connection connection(Connection cluster) {
        var tls = cluster.tls();
        return new Connection(
                url(server),
                new Connection.Tls(
                        authority.isPresent()
                                ? new PemSource.InFile(authority.get(), "--scheduler-ca")
                                : isInsecure ? null : tls.authorities(),
                        isInsecure,
                        null,
                        tls.certificate()),
                cluster.proxy(),
                isInsecure ? Credentials.NONE : cluster.credentials(),
                Map.of());
    }
}
