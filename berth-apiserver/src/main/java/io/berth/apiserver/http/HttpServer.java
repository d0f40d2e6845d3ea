package io.berth.apiserver.http;

import io.berth.apiserver.registry.PodBinding;
import io.berth.apiserver.registry.PodEviction;
import io.berth.apiserver.registry.Registry;
import io.berth.apiserver.security.Authenticator;
import io.berth.apiserver.watch.Watches;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/// Jetty with TLS, HTTP/2 and HTTP/1.1; each request has a virtual thread of its own.
public final class HttpServer implements AutoCloseable {
    /// An open watch holds a thread, so this is also the limit of watches.
    private static final int MAX_REQUESTS = 100_000;

    private static final int MAX_STREAMS_PER_CONNECTION = 10_000;
    private static final int WINDOW_BYTES = 1 << 20;

    private final Server server;
    private final ServerConnector connector;

    /// What the server needs from the rest.
    ///
    /// @param port 0 for any free port
    public record Parts(
            int port,
            SSLContext tls,
            Authenticator authenticator,
            Registry registry,
            Watches watches,
            Duration bookmarkInterval,
            InstantSource clock,
            Hindrance hindrance) {}

    private HttpServer(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /// Starts to listen.
    ///
    /// @throws IOException if the port cannot be opened
    public static HttpServer start(Parts parts) throws IOException {
        var server = new Server(new VirtualThreadPool(MAX_REQUESTS));
        ServerConnector connector = connector(server, parts.tls());
        connector.setHost("127.0.0.1");
        connector.setPort(parts.port());
        server.addConnector(connector);
        var resources =
                new ResourceHandler(
                        parts.registry(),
                        new WatchHandler(
                                parts.registry().store(),
                                parts.watches(),
                                parts.bookmarkInterval()),
                        new PodBinding(parts.registry(), parts.clock()),
                        new PodEviction(parts.registry(), parts.clock()));
        var front = new ApiHandler(parts.authenticator(), parts.registry().kinds(), resources);
        server.setHandler(
                parts.hindrance().equals(Hindrance.NONE)
                        ? front
                        : new HinderedHandler(parts.hindrance(), front));
        server.setErrorHandler(new StatusErrorHandler());
        server.setStopTimeout(0);
        var result = new HttpServer(server, connector);
        try {
            server.start();
        } catch (IOException e) {
            result.close();
            throw e;
        } catch (Exception e) {
            result.close();
            throw new IllegalStateException("the HTTP server did not start", e);
        }
        return result;
    }

    private static ServerConnector connector(Server server, SSLContext tls) {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // The certificate is for loopback addresses, which clients do not send as a host name.
        http.addCustomizer(new SecureRequestCustomizer(false));
        var http1 = new HttpConnectionFactory(http);
        var http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(MAX_STREAMS_PER_CONNECTION);
        http2.setInitialStreamRecvWindow(WINDOW_BYTES);
        http2.setInitialSessionRecvWindow(WINDOW_BYTES * 4);
        // Clients are trusted; thousands of small requests a second are what the server is for.
        http2.setRateControlFactory(new RateControl.Factory() {});
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var ssl = new SslContextFactory.Server();
        ssl.setSslContext(tls);
        ssl.setWantClientAuth(true);
        var connector =
                new ServerConnector(
                        server,
                        1,
                        1,
                        new SslConnectionFactory(ssl, alpn.getProtocol()),
                        alpn,
                        http2,
                        http1);
        // A silent watch is no dead connection.
        connector.setIdleTimeout(0);
        connector.setAcceptQueueSize(1024);
        return connector;
    }

    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not stop", e);
        }
    }
}
