package io.berth.kube.client;

import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Credentials;
import io.berth.kube.connection.Proxies;
import io.berth.kube.connection.TlsContext;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections in use. They are replaced, all of them, when the server has gone silent or when
/// certificates changed; requests under way on the old ones then end.
///
/// Thread-safe.
final class Transport implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transport.class);
    private static final Duration CERTIFICATE_CHECK = Duration.ofMinutes(5);

    private final Connection connection;
    private final ClientOptions options;
    private final LongSupplier nanos;
    private @Nullable Wire wire;
    private TlsContext.@Nullable Material material;
    private Credentials.@Nullable ClientCertificate certificate;
    private long checkedAt;

    Transport(Connection connection, ClientOptions options) {
        this(connection, options, System::nanoTime);
    }

    Transport(Connection connection, ClientOptions options, LongSupplier nanos) {
        this.connection = connection;
        this.options = options;
        this.nanos = nanos;
    }

    synchronized Wire current() {
        var known = wire;
        if (known == null || certificatesChanged()) {
            var fresh = build();
            retire(known);
            wire = fresh;
            return fresh;
        }
        return known;
    }

    /// Gives up the connections of `dead`, unless that has happened already.
    synchronized void replace(Wire dead) {
        if (dead.equals(wire)) {
            wire = null;
            retire(dead);
        }
    }

    private boolean certificatesChanged() {
        if (!connection.usesTls()) {
            return false;
        }
        if (!Objects.equals(connection.credentials().certificate(), certificate)) {
            return true;
        }
        long now = nanos.getAsLong();
        if (now - checkedAt < CERTIFICATE_CHECK.toNanos()) {
            return false;
        }
        checkedAt = now;
        try {
            return !TlsContext.read(connection.tls(), certificate).equals(material);
        } catch (ConfigException unreadable) {
            log.atError()
                    .addKeyValue("err", unreadable.getMessage())
                    .log("Unable to reload certificates, the old ones stay in use");
            return false;
        }
    }

    private Wire build() {
        TlsUpgrade upgrade = null;
        if (connection.usesTls()) {
            var tls = connection.tls();
            certificate = connection.credentials().certificate();
            var read = TlsContext.read(tls, certificate);
            upgrade = new TlsUpgrade(TlsContext.of(tls, read), tls.serverName());
            material = read;
            checkedAt = nanos.getAsLong();
        }
        return new Wire(
                upgrade, Proxies.choose(connection, System.getenv()), options.connectTimeout());
    }

    static int portOf(URI uri) {
        if (uri.getPort() > 0) {
            return uri.getPort();
        }
        return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }

    private static void retire(@Nullable Wire old) {
        if (old != null) {
            old.close();
        }
    }

    @Override
    public synchronized void close() {
        retire(wire);
        wire = null;
    }
}
