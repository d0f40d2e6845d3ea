package io.berth.app.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Turns Jetty's requests into calls and replies into Jetty's responses. Each runs on a virtual
/// thread of its own.
final class JettyCalls extends Handler.Abstract {
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final String CONNECTION = "Connection";

    private final Endpoint endpoint;

    /// One party for this object and one for each call under way.
    private final Phaser active = new Phaser(1);

    JettyCalls(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        active.register();
        try {
            Optional<String> path = PercentCoding.decode(request.getHttpURI().getPath());
            Reply reply =
                    path.isEmpty()
                            ? Reply.error(400, "400 Bad Request")
                            : endpoint.answer(call(request, path.get()));
            drain(request);
            send(reply, request, response);
            callback.succeeded();
        } catch (IOException | UncheckedIOException gone) {
            callback.failed(gone);
        } finally {
            active.arriveAndDeregister();
        }
        return true;
    }

    /// Waits for the calls under way; false if that took too long. New ones must be kept away.
    boolean awaitIdle(Duration limit) {
        int phase = active.arrive();
        try {
            active.awaitAdvanceInterruptibly(phase, limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Call call(Request request, String path) {
        return new Call(
                request.getMethod(),
                request.getHttpURI().getPathQuery(),
                path,
                query(request),
                headers(request),
                peer(request),
                () -> body(request),
                Optional.empty());
    }

    private static Map<String, List<String>> query(Request request) {
        String text = request.getHttpURI().getQuery();
        return text == null ? Map.of() : PercentCoding.parameters(text);
    }

    private static SortedMap<String, List<String>> headers(Request request) {
        var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        for (HttpField field : request.getHeaders()) {
            String value = field.getValue() == null ? "" : field.getValue();
            headers.merge(field.getName(), List.of(value), JettyCalls::joined);
        }
        return headers;
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return java.util.stream.Stream.concat(some.stream(), more.stream()).toList();
    }

    private static Call.Peer peer(Request request) {
        SocketAddress remote = request.getConnectionMetaData().getRemoteSocketAddress();
        String address =
                remote instanceof InetSocketAddress internet
                        ? ListenSocket.text(internet)
                        : String.valueOf(remote);
        return new Call.Peer(address, certificates(request), isHttp2(request));
    }

    private static List<X509Certificate> certificates(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                                instanceof EndPoint.SslSessionData session
                        && session.peerCertificates() != null
                ? List.of(session.peerCertificates())
                : List.of();
    }

    private static boolean isHttp2(Request request) {
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
    }

    private static byte[] body(Request request) {
        try {
            return Content.Source.asInputStream(request).readNBytes(MAX_BODY_BYTES);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /// Takes the rest of the request. A response to a request that was not read to its end resets
    /// the HTTP/2 stream, and the client may see the reset before the response.
    private static void drain(Request request) throws IOException {
        InputStream rest = Content.Source.asInputStream(request);
        long left = MAX_BODY_BYTES;
        byte[] chunk = new byte[8192];
        for (int n = rest.read(chunk); n >= 0 && left > 0; n = rest.read(chunk)) {
            left -= n;
        }
    }

    private static void send(Reply reply, Request request, Response response) throws IOException {
        response.setStatus(reply.status());
        boolean endsSession = isHttp2(request) && "close".equals(reply.headers().get(CONNECTION));
        reply.headers()
                .forEach((name, value) -> {
                    if (!endsSession || !name.equalsIgnoreCase(CONNECTION)) {
                        response.getHeaders().put(name, value);
                    }
                });
        response.getHeaders().put("Content-Length", Integer.toString(reply.body().length));
        if (endsSession) {
            endSession(request.getConnectionMetaData().getConnection());
        }
        Content.Sink.write(response, true, ByteBuffer.wrap(reply.body()));
    }

    /// HTTP/2 has no header for it: the other side is told to go away, and the connection ends with
    /// the streams that are open.
    private static void endSession(Connection connection) {
        if (connection instanceof HTTP2Connection http2) {
            var _ = http2.getSession().shutdown();
        }
    }
}
