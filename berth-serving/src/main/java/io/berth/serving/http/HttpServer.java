package io.berth.serving.http;

import io.berth.serving.tls.AnyClient;
import io.berth.serving.tls.ClientAuthorities;
import io.berth.serving.tls.LiveKeys;
import io.berth.serving.tls.ServerLog;
import io.berth.serving.tls.ServingCertificates;
import io.berth.serving.tls.ServingException;
import io.berth.serving.tls.ServingSettings;
import io.berth.serving.tls.TlsNames;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/// Serves an endpoint on a bound port until it is closed, which lets the calls under way finish.
public final class HttpServer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final int KEEP_ALIVE_SECONDS = 180;
    private static final int MAX_HEADER_BYTES = 1 << 20;
    private static final int DEFAULT_STREAMS = 100;
    private static final int STREAM_BYTES = 256 * 1024;
    private static final int HANDSHAKE_LOG_LEVEL = 5;

    private final ListenSocket socket;
    private final String address;
    private final Server server;
    private final JettyCalls calls;
    private final PortThreads threads;
    private final @Nullable ServingCertificates certificates;
    private final ServerLog log;
    private final Duration grace;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HttpServer(
            ListenSocket socket,
            Endpoint chain,
            @Nullable ServingCertificates certificates,
            ServerLog log,
            Duration grace,
            PortLimits limits,
            Function<HttpConfiguration, ConnectionFactory[]> protocols) {
        this.socket = socket;
        this.address = socket.address();
        this.certificates = certificates;
        this.log = log;
        this.grace = grace;
        this.threads = new PortThreads(limits);
        this.calls = new JettyCalls(chain, threads);
        this.server = new Server(threads.wire());
        ServerConnector connector = new Connector(server, protocols.apply(configuration()));
        connector.setIdleTimeout(limits.idle().toMillis());
        guard(connector, limits, calls);
        server.addConnector(connector);
        server.setHandler(calls);
        server.setErrorHandler(new PlainErrors());
        server.setStopTimeout(0);
        try {
            connector.open(socket.channel());
            server.start();
        } catch (Exception broken) {
            close(certificates);
            socket.close();
            threads.close();
            throw new ServingException(
                    "failed to start secure server: " + broken.getMessage(), broken);
        }
    }

    /// Starts to serve over TLS.
    ///
    /// @throws ServingException if certificates cannot be used
    public static HttpServer secure(
            ListenSocket socket,
            ServingSettings settings,
            ClientAuthorities authorities,
            Endpoint chain,
            ServerLog log) {
        return secure(socket, settings, authorities, chain, log, GRACE, PortLimits.DEFAULT);
    }

    /// @param grace how long calls under way may take when it closes
    static HttpServer secure(
            ListenSocket socket,
            ServingSettings settings,
            ClientAuthorities authorities,
            Endpoint chain,
            ServerLog log,
            Duration grace,
            PortLimits limits) {
        var certificates = new ServingCertificates(settings, log);
        if (!settings.http2()) {
            log.line(1, "Forcing use of http/1.1 only");
        }
        var server =
                new HttpServer(
                        socket,
                        chain,
                        certificates,
                        log,
                        grace,
                        limits,
                        http -> secureProtocols(http, settings, certificates, authorities, log));
        log.line(0, "Serving securely on " + server.address);
        return server;
    }

    /// Starts to serve plain HTTP.
    public static HttpServer insecure(ListenSocket socket, Endpoint chain, ServerLog log) {
        var server =
                new HttpServer(
                        socket,
                        chain,
                        null,
                        log,
                        GRACE,
                        PortLimits.DEFAULT,
                        http -> new ConnectionFactory[] {new HttpConnectionFactory(http)});
        log.line(0, "Serving insecurely on " + server.address);
        return server;
    }

    private static void guard(ServerConnector connector, PortLimits limits, JettyCalls calls) {
        var entrance = new Entrance(connector, limits, calls::isAnswering);
        connector.addBean(entrance);
        connector.addBean(new SlowStart(connector.getScheduler(), limits.start(), entrance::isNew));
        var tls = connector.getConnectionFactory(SslConnectionFactory.class);
        if (tls != null) {
            tls.addBean(entrance);
        }
    }

    public int port() {
        return socket.port();
    }

    private static HttpConfiguration configuration() {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(MAX_HEADER_BYTES);
        // Paths are only compared, never resolved, so none is dangerous; authorization and 404 are
        // better answers than a refusal by syntax.
        http.setUriCompliance(UriCompliance.UNSAFE);
        // Nor does it matter which host a client thinks it talks to.
        http.setHttpCompliance(
                HttpCompliance.RFC7230.with(
                        "any-host", HttpCompliance.Violation.MISMATCHED_AUTHORITY));
        return http;
    }

    private static ConnectionFactory[] secureProtocols(
            HttpConfiguration http,
            ServingSettings settings,
            ServingCertificates certificates,
            ClientAuthorities authorities,
            ServerLog log) {
        http.addCustomizer(new SecureRequestCustomizer(false));
        var http1 = new HttpConnectionFactory(http);
        var keys = new LiveKeys(certificates);
        var tls = tls(settings, keys, authorities);
        ConnectionFactory[] factories;
        if (settings.http2()) {
            var alpn = new ALPNServerConnectionFactory();
            alpn.setDefaultProtocol(http1.getProtocol());
            factories =
                    new ConnectionFactory[] {
                        new TlsConnections(tls, alpn.getProtocol(), keys),
                        alpn,
                        http2(http, settings),
                        http1
                    };
        } else {
            factories =
                    new ConnectionFactory[] {
                        new TlsConnections(tls, http1.getProtocol(), keys), http1
                    };
        }
        ((SslConnectionFactory) factories[0]).addBean(new HandshakeLog(log));
        return factories;
    }

    private static HTTP2ServerConnectionFactory http2(
            HttpConfiguration http, ServingSettings settings) {
        int streams = settings.maxStreams() > 0 ? settings.maxStreams() : DEFAULT_STREAMS;
        var http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(streams);
        http2.setInitialStreamRecvWindow(STREAM_BYTES);
        http2.setInitialSessionRecvWindow(
                (int) Math.min(Integer.MAX_VALUE, (long) STREAM_BYTES * streams));
        http2.setMaxFrameSize(STREAM_BYTES);
        return http2;
    }

    private static SslContextFactory.Server tls(
            ServingSettings settings, LiveKeys keys, ClientAuthorities authorities) {
        String[] curves = TlsNames.curves(settings.tls().curves());
        var tls =
                new SslContextFactory.Server() {
                    @Override
                    public SSLParameters customize(SSLParameters parameters) {
                        SSLParameters customized = super.customize(parameters);
                        if (curves.length > 0) {
                            customized.setNamedGroups(curves);
                        }
                        return customized;
                    }

                    @Override
                    protected void checkCiphers(SSLParameters parameters) {
                        // Which suites are weak is kube-scheduler's judgement here, told once.
                    }
                };
        tls.setSslContext(context(keys, authorities));
        tls.setWantClientAuth(authorities.areConfigured());
        tls.setExcludeProtocols();
        tls.setIncludeProtocols(TlsNames.protocols(settings.tls().minVersion()));
        tls.setExcludeCipherSuites();
        tls.setIncludeCipherSuites(TlsNames.suites(settings.tls().cipherSuites()));
        return tls;
    }

    private static SSLContext context(LiveKeys keys, ClientAuthorities authorities) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {keys}, new TrustManager[] {new AnyClient(authorities)}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("no TLS in this JVM", impossible);
        }
    }

    /// Stops listening, lets the calls under way finish for a while, and ends.
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        socket.close();
        log.line(0, "Stopped listening on " + address);
        tellSecure("[graceful-termination] secure server has stopped listening");
        threads.endStreams();
        boolean idle = calls.awaitIdle(grace);
        if (!idle) {
            log.error(null, "Failed to shutdown server: context deadline exceeded");
        }
        try {
            server.stop();
        } catch (Exception broken) {
            log.error(broken, "Failed to shutdown server");
        }
        threads.close();
        close(certificates);
        tellSecure("[graceful-termination] secure server is exiting");
    }

    private void tellSecure(String sentence) {
        if (certificates != null) {
            log.info(0, sentence);
        }
    }

    private static void close(@Nullable ServingCertificates certificates) {
        if (certificates != null) {
            certificates.close();
        }
    }

    /// Keeps connections alive through firewalls that forget silent ones.
    private static final class Connector extends ServerConnector {
        Connector(Server server, ConnectionFactory[] protocols) {
            super(server, 1, 1, protocols);
        }

        @Override
        protected void configure(Socket socket) {
            super.configure(socket);
            try {
                socket.setKeepAlive(true);
                if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                    socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
                    socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_SECONDS);
                }
            } catch (SocketException alreadyGone) {
                // The next read will notice.
            } catch (IOException unsupported) {
                // The system's own times apply.
            }
        }
    }

    /// Tells the keys which of our addresses a connection came to.
    private static final class TlsConnections extends SslConnectionFactory {
        private final LiveKeys keys;

        TlsConnections(SslContextFactory.Server tls, String next, LiveKeys keys) {
            super(tls, next);
            this.keys = keys;
        }

        @Override
        protected SslConnection newSslConnection(
                org.eclipse.jetty.server.Connector connector, EndPoint endPoint, SSLEngine engine) {
            if (endPoint.getLocalSocketAddress() instanceof InetSocketAddress local) {
                keys.arrived(engine, local.getAddress());
            }
            return super.newSslConnection(connector, endPoint, engine);
        }
    }

    /// Scanners and probes break off handshakes all the time; only the curious want to know.
    private record HandshakeLog(ServerLog log) implements SslHandshakeListener {
        @Override
        public void handshakeFailed(Event event, Throwable failure) {
            if (log.isOn(HANDSHAKE_LOG_LEVEL)) {
                String peer = event.getEndPoint() == null ? "unknown" : peer(event);
                log.line(
                        HANDSHAKE_LOG_LEVEL,
                        "http: TLS handshake error from " + peer + ": " + failure.getMessage());
            }
        }

        private static String peer(Event event) {
            return event.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote
                    ? ListenSocket.text(remote)
                    : "unknown";
        }
    }
}
