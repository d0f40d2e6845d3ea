package io.berth.kube.connection;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything needed to talk to one API server.
///
/// @param server without a trailing slash
/// @param proxy an HTTP proxy; null to ask the environment
/// @param impersonation headers that ask to act as somebody else, in order
public record Connection(
        URI server,
        Tls tls,
        @Nullable URI proxy,
        Credentials credentials,
        Map<String, List<String>> impersonation) {
    /// How the server is recognised and how we show who we are.
    ///
    /// @param authorities null to trust what the JVM trusts
    /// @param insecure believe any server
    /// @param serverName the name to expect instead of the address's own; null for that
    public record Tls(
            @Nullable PemSource authorities,
            boolean insecure,
            @Nullable String serverName,
            Credentials.@Nullable ClientCertificate certificate) {
        public static final Tls DEFAULT = new Tls(null, false, null, null);
    }

    public Connection {
        impersonation = Map.copyOf(impersonation);
        String text = server.toString();
        if (text.endsWith("/")) {
            server = URI.create(text.replaceAll("/+$", ""));
        }
    }

    /// A server without TLS or credentials, as tests use it.
    public static Connection plain(URI server) {
        return new Connection(server, Tls.DEFAULT, null, Credentials.NONE, Map.of());
    }

    public Connection withServer(URI other) {
        return new Connection(other, tls, proxy, credentials, impersonation);
    }

    /// Reads the certificates and keys that are configured, so that whatever is wrong with them is
    /// told before anything starts (P-122). What a program issues is not asked for.
    ///
    /// @throws ConfigException where they cannot be used
    Connection checked() {
        if (usesTls()) {
            TlsContext.read(tls, null);
        }
        return this;
    }

    public boolean usesTls() {
        return "https".equalsIgnoreCase(server.getScheme());
    }
}
