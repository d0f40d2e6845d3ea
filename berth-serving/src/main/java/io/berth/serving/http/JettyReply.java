package io.berth.serving.http;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Sends the reply to one request, as fast as the client takes it. No thread waits for that, but
/// the one that a streamed reply has for itself.
///
/// The rest of the request is taken first: a response to a request that was not read to its end
/// resets the HTTP/2 stream, and the client may see the reset before the response.
final class JettyReply {
    private static final String CONNECTION = "Connection";
    private static final int MAX_REST_BYTES = 1 << 20;

    private final Request request;
    private final Response response;
    private final Callback callback;
    private long restBytes;

    JettyReply(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    void send(Reply reply) {
        try {
            takeRest(reply);
        } catch (RuntimeException | Error broken) {
            fail(broken);
        }
    }

    EndPoint endPoint() {
        return request.getConnectionMetaData().getConnection().getEndPoint();
    }

    /// Ends the request without a reply. A client that has left is nothing to tell anybody.
    void fail(Throwable why) {
        callback.failed(
                why instanceof IOException || why instanceof UncheckedIOException
                        ? new EofException(why)
                        : why);
    }

    private void takeRest(Reply reply) {
        while (restBytes <= MAX_REST_BYTES) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(() -> send(reply));
                return;
            }
            if (Content.Chunk.isFailure(chunk, true)) {
                fail(chunk.getFailure());
                return;
            }
            restBytes += chunk.remaining();
            chunk.release();
            if (chunk.isLast()) {
                break;
            }
        }
        write(reply);
    }

    /// Sends a reply that comes about bit by bit; the thread is its own for as long as it takes.
    void stream(Reply reply, Reply.Writing writing) {
        try {
            head(reply);
            OutputStream client = Content.Sink.asOutputStream(response);
            writing.writeTo(client);
            // Only an end that is meant: it waits for the client, who may take nothing any more.
            client.close();
            callback.succeeded();
        } catch (IOException | RuntimeException | Error broken) {
            fail(broken);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            fail(new EofException("the port closes"));
        }
    }

    private void write(Reply reply) {
        head(reply);
        response.getHeaders().put("Content-Length", Integer.toString(reply.body().length));
        response.write(true, ByteBuffer.wrap(reply.body()), callback);
    }

    private void head(Reply reply) {
        response.setStatus(reply.status());
        boolean endsSession =
                JettyCalls.isHttp2(request) && "close".equals(reply.headers().get(CONNECTION));
        reply.headers()
                .forEach((name, value) -> {
                    if (!endsSession || !name.equalsIgnoreCase(CONNECTION)) {
                        response.getHeaders().put(name, value);
                    }
                });
        if (Target.isTunnel(request)) {
            // What follows on the connection would be meant for somebody else.
            response.getHeaders().put(CONNECTION, "close");
        }
        if (endsSession) {
            endSession(request.getConnectionMetaData().getConnection());
        }
    }

    /// HTTP/2 has no header for it: the other side is told to go away, and the connection ends with
    /// the streams that are open.
    private static void endSession(Connection connection) {
        if (connection instanceof HTTP2Connection http2) {
            var _ = http2.getSession().shutdown();
        }
    }
}
