package io.berth.kube.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/// The connections to one server, and what is done with them: HTTP/1.1, one exchange at a time on
/// each, on blocking sockets, because a scheduler's virtual threads wait more cheaply than a
/// reactive client passes bytes on.
///
/// Thread-safe.
final class Wire implements AutoCloseable {
    private static final String RETRY_AFTER = "Retry-After";

    /// More than exchanges and watches ever need together; a stop for mistakes.
    private static final int MOST_CONNECTIONS = 512;

    private static final int KEEP_ALIVE_SECONDS = 30;
    private static final int KEEP_ALIVE_PROBES = 3;

    /// API servers give up connections that were idle for longer than this.
    private static final TimeValue IDLE = TimeValue.ofSeconds(60);

    private final PoolingHttpClientConnectionManager connections;
    private final CloseableHttpClient http;

    /// The short way, where there is no proxy.
    private final @Nullable DirectExchange direct;

    Wire(@Nullable TlsSocketStrategy tls, @Nullable URI proxy, Duration connectTimeout) {
        connections = connections(tls, connectTimeout);
        var config =
                RequestConfig.custom()
                        .setProtocolUpgradeEnabled(false)
                        .setResponseTimeout(Timeout.DISABLED)
                        .setConnectionRequestTimeout(Timeout.of(connectTimeout))
                        .setConnectionKeepAlive(IDLE)
                        .build();
        var client =
                HttpClients.custom()
                        .setConnectionManager(connections)
                        .setDefaultRequestConfig(config)
                        .disableAuthCaching()
                        .disableAutomaticRetries()
                        .disableConnectionState()
                        .disableContentCompression()
                        .disableCookieManagement()
                        .disableDefaultUserAgent()
                        .disableRedirectHandling();
        if (proxy != null) {
            client.setProxy(new HttpHost("http", proxy.getHost(), Transport.portOf(proxy)));
        }
        http = client.build();
        direct = proxy == null ? new DirectExchange(connections, config) : null;
    }

    private static PoolingHttpClientConnectionManager connections(
            @Nullable TlsSocketStrategy tls, Duration connectTimeout) {
        return new ConnectionsBuilder()
                .setTlsSocketStrategy(tls)
                .setMaxConnTotal(MOST_CONNECTIONS)
                .setMaxConnPerRoute(MOST_CONNECTIONS)
                .setConnPoolPolicy(PoolReusePolicy.LIFO)
                .setDefaultSocketConfig(
                        SocketConfig.custom()
                                .setTcpNoDelay(true)
                                .setSoKeepAlive(true)
                                .setTcpKeepIdle(KEEP_ALIVE_SECONDS)
                                .setTcpKeepInterval(KEEP_ALIVE_SECONDS / KEEP_ALIVE_PROBES)
                                .setTcpKeepCount(KEEP_ALIVE_PROBES)
                                .build())
                .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                                .setConnectTimeout(Timeout.of(connectTimeout))
                                .setSocketTimeout(Timeout.DISABLED)
                                .setValidateAfterInactivity(TimeValue.ofSeconds(1))
                                .build())
                .build();
    }

    /// Makes connections of our sockets.
    private static final class ConnectionsBuilder
            extends PoolingHttpClientConnectionManagerBuilder {
        @Override
        protected HttpClientConnectionOperator createConnectionOperator(
                SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
            return new DefaultHttpClientConnectionOperator(
                    socksProxy -> new ReadAheadSocket(),
                    ports,
                    names,
                    RegistryBuilder.<TlsSocketStrategy>create()
                            .register(URIScheme.HTTPS.id, tls)
                            .build());
        }
    }

    /// A complete answer.
    ///
    /// @param retryAfter what the header of that name says
    record Answer(int code, byte[] body, @Nullable String retryAfter) {}

    /// An answer that has begun.
    ///
    /// @param body ends, with an error, when the request is cancelled
    record Beginning(
            int code,
            InputStream body,
            @Nullable String contentType,
            @Nullable String retryAfter) {}

    /// Sends a request and reads the whole answer.
    ///
    /// @throws LateException where it is not complete within the limit
    Answer exchange(Message request, Duration limit, int maxBytes) throws IOException {
        try (var deadline = Deadline.of(request, limit)) {
            HttpClientResponseHandler<Answer> reading = response -> answer(response, maxBytes);
            return deadline.watch(() ->
                    fresh(
                            request,
                            context ->
                                    direct == null
                                            ? http.execute(request, context, reading)
                                            : direct.send(request, context, reading)));
        }
    }

    /// Sends a request and waits for the head of the answer. The caller cancels the request when it
    /// wants no more.
    ///
    /// @throws LateException where the answer does not begin within the limit
    Beginning open(Message request, Duration limit) throws IOException {
        try (var deadline = Deadline.of(request, limit)) {
            var response =
                    deadline.watch(() ->
                            fresh(request, context -> http.executeOpen(null, request, context)));
            var entity = response.getEntity();
            var body = entity == null ? InputStream.nullInputStream() : entity.getContent();
            return new Beginning(
                    response.getCode(),
                    body,
                    header(response, "Content-Type"),
                    header(response, RETRY_AFTER));
        }
    }

    private interface Sending<T> {
        T send(HttpClientContext context) throws IOException;
    }

    /// Sends what only reads once more where the server had closed a connection that was idle, as
    /// it may at any time. What writes may have been carried out, so its caller must find out.
    /// Nothing has been sent before a handshake is done.
    private <T> T fresh(Message request, Sending<T> sending) throws IOException {
        var context = HttpClientContext.create();
        try {
            return once(context, sending);
        } catch (TlsUpgrade.OfferException refused) {
            return once(HttpClientContext.create(), sending);
        } catch (NoHttpResponseException | SocketException closed) {
            var used = context.getEndpointDetails();
            boolean wasIdle = used != null && used.getRequestCount() > 1;
            if (!wasIdle || request.isCancelled() || !request.getMethod().equals("GET")) {
                throw closed;
            }
            closeIdle();
            return once(HttpClientContext.create(), sending);
        }
    }

    private static <T> T once(HttpClientContext context, Sending<T> sending) throws IOException {
        try {
            return sending.send(context);
        } catch (IllegalStateException gone) {
            // It was waiting for a connection when somebody gave it up, or closed the pool.
            throw new IOException("request canceled", gone);
        }
    }

    private static Answer answer(ClassicHttpResponse response, int maxBytes) throws IOException {
        return new Answer(
                response.getCode(), read(response, maxBytes), header(response, RETRY_AFTER));
    }

    private static byte[] read(ClassicHttpResponse response, int maxBytes) throws IOException {
        var entity = response.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        long length = entity.getContentLength();
        // Whose length is known needs no larger buffer.
        int most = length < 0 ? maxBytes : (int) Math.min(length, maxBytes);
        byte[] body = entity.getContent().readNBytes(most);
        if (body.length == maxBytes) {
            throw new IOException("the answer is longer than %d bytes".formatted(maxBytes));
        }
        return body;
    }

    private static @Nullable String header(ClassicHttpResponse response, String name) {
        var header = response.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    /// Gives up connections that are not in use, since what happened to one may have happened to
    /// all.
    void closeIdle() {
        connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    /// Ends everything under way.
    @Override
    public void close() {
        http.close(CloseMode.IMMEDIATE);
    }
}
