package io.berth.kube.client;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.routing.RoutingSupport;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.protocol.DefaultHttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/// Sends a request on a connection of the pool and reads the answer.
///
/// A general client puts a chain of helpers around that, which copies the request, plans a route
/// and looks after redirects, cookies and passwords. A scheduler, which sends two requests for each
/// pod, with everything in them, pays for all of it and needs none.
///
/// Thread-safe.
final class DirectExchange {
    private static final HttpProcessor HEADERS =
            new DefaultHttpProcessor(RequestTargetHost.INSTANCE, RequestContent.INSTANCE);
    private static final HttpRequestExecutor EXECUTOR = new HttpRequestExecutor();

    private final HttpClientConnectionManager connections;
    private final RequestConfig config;

    DirectExchange(HttpClientConnectionManager connections, RequestConfig config) {
        this.connections = connections;
        this.config = config;
    }

    /// @param reading has read the whole answer when it returns
    <T> T send(Message request, HttpClientContext context, HttpClientResponseHandler<T> reading)
            throws IOException {
        var endpoint = lease(request);
        // Null while the connection is of no further use.
        TimeValue keep = null;
        try {
            request.setDependency(() -> {
                endpoint.close(CloseMode.IMMEDIATE);
                return true;
            });
            if (request.isCancelled()) {
                throw new RequestFailedException("Request aborted");
            }
            if (!endpoint.isConnected()) {
                connections.connect(endpoint, null, context);
            }
            context.setRequestConfig(config);
            EXECUTOR.preProcess(request, HEADERS, context);
            var response = endpoint.execute("", request, EXECUTOR::execute, context);
            T result = reading.handleResponse(response);
            keep = keepAlive(request, response, context);
            return result;
        } catch (HttpException unreadable) {
            throw new ClientProtocolException(unreadable);
        } finally {
            if (keep == null) {
                endpoint.close(CloseMode.IMMEDIATE);
            }
            connections.release(endpoint, null, keep == null ? TimeValue.ZERO_MILLISECONDS : keep);
        }
    }

    private ConnectionEndpoint lease(Message request) throws IOException {
        var limit = config.getConnectionRequestTimeout();
        var lease = connections.lease("", routeOf(request), limit, null);
        request.setDependency(lease);
        ConnectionEndpoint leased = null;
        try {
            leased = lease.get(limit);
            return leased;
        } catch (TimeoutException none) {
            throw new RequestFailedException("no connection became free in time", none);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new RequestFailedException("Request aborted", stop);
        } catch (ExecutionException failed) {
            throw new RequestFailedException("Request execution failed", failed.getCause());
        } finally {
            if (leased == null) {
                // Or the pool would give the next connection that is free to nobody, for good.
                lease.cancel();
            }
        }
    }

    private static HttpRoute routeOf(Message request) throws IOException {
        try {
            var host =
                    RoutingSupport.normalize(
                            RoutingSupport.determineHost(request),
                            DefaultSchemePortResolver.INSTANCE);
            return new HttpRoute(host, null, "https".equalsIgnoreCase(host.getSchemeName()));
        } catch (HttpException nowhere) {
            throw new ClientProtocolException(nowhere);
        }
    }

    private static @Nullable TimeValue keepAlive(
            Message request, ClassicHttpResponse response, HttpClientContext context) {
        return DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context)
                ? DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(
                        response, context)
                : null;
    }
}
