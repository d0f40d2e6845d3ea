package io.berth.apiserver.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/// Notices that a client left while nothing is being sent to it.
final class Disconnects {
    private Disconnects() {}

    /// Calls back once the client is gone. HTTP/2 tells by itself; on HTTP/1.1 somebody must be
    /// reading the connection to see its end, so this keeps a read pending for the rest of the
    /// response. The connection cannot be used again after that.
    static void onDisconnect(Request request, Runnable action) {
        request.addFailureListener(_ -> action.run());
        if (usesUpConnection(request)) {
            listen(request.getConnectionMetaData().getConnection().getEndPoint(), action);
        }
    }

    /// Says whether [#onDisconnect] makes the connection useless for a next request.
    static boolean usesUpConnection(Request request) {
        return request.getConnectionMetaData().getHttpVersion().getVersion()
                < HttpVersion.HTTP_2.getVersion();
    }

    private static void listen(EndPoint endPoint, Runnable action) {
        boolean _ =
                endPoint.tryFillInterested(
                        new Callback() {
                            @Override
                            public void succeeded() {
                                onReadable(endPoint, action);
                            }

                            @Override
                            public void failed(Throwable failure) {
                                action.run();
                            }
                        });
    }

    private static void onReadable(EndPoint endPoint, Runnable action) {
        ByteBuffer buffer = BufferUtil.allocate(1);
        try {
            if (endPoint.fill(buffer) == 0) {
                // TLS housekeeping without content.
                listen(endPoint, action);
                return;
            }
        } catch (IOException e) {
            // Broken, so gone.
        }
        action.run();
    }
}
