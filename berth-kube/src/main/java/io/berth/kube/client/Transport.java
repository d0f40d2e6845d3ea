package io.berth.kube.client;

import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The HTTP client in use. It is replaced, with all its connections, when a connection has died
/// silently or when certificates changed; requests under way on the old one then end.
///
/// A replacement is needed because the JDK's client keeps an HTTP/2 connection in its pool for as
/// long as the operating system believes in it, which for a peer that vanished is many minutes.
///
/// Thread-safe.
final class Transport implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transport.class);
    private static final Duration CERTIFICATE_CHECK = Duration.ofMinutes(5);

    private final Connection connection;
    private final ClientOptions options;
    private final LongSupplier nanos;
    private @Nullable HttpClient http;
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

    synchronized HttpClient current() {
        var known = http;
        if (known == null || certificatesChanged()) {
            var fresh = build();
            retire(known);
            http = fresh;
            return fresh;
        }
        return known;
    }

    /// Gives up the connections of `dead`, unless that has happened already.
    synchronized void replace(HttpClient dead) {
        if (dead.equals(http)) {
            http = null;
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

    private HttpClient build() {
        var builder =
                HttpClient.newBuilder()
                        .connectTimeout(options.connectTimeout())
                        .followRedirects(HttpClient.Redirect.NEVER);
        if (connection.usesTls()) {
            certificate = connection.credentials().certificate();
            var read = TlsContext.read(connection.tls(), certificate);
            builder.version(HttpClient.Version.HTTP_2)
                    .sslContext(TlsContext.of(connection.tls(), read));
            material = read;
            checkedAt = nanos.getAsLong();
        } else {
            builder.version(HttpClient.Version.HTTP_1_1);
        }
        var proxy = Proxies.choose(connection, System.getenv());
        if (proxy != null) {
            builder.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), portOf(proxy))));
        } else {
            builder.proxy(HttpClient.Builder.NO_PROXY);
        }
        return builder.build();
    }

    static int portOf(URI uri) {
        if (uri.getPort() > 0) {
            return uri.getPort();
        }
        return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }

    private static void retire(@Nullable HttpClient old) {
        if (old != null) {
            old.shutdownNow();
        }
    }

    @Override
    public synchronized void close() {
        retire(http);
        http = null;
    }
}
