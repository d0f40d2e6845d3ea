package io.berth.serving.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.thread.Scheduler;

/// Ends connections that have not finished their handshake in time, and those that have not brought
/// a whole request in the same time after that, however busily they send.
///
/// @param isNew whether a connection is still in its handshake
record SlowStart(Scheduler scheduler, Duration limit, Predicate<EndPoint> isNew)
        implements Connection.Listener {
    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            later(() -> endIfNew(connection));
        } else if (connection instanceof ConnectionMetaData) {
            later(() -> endIfSilent(connection));
        }
    }

    private void later(Runnable look) {
        scheduler.schedule(look, limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void endIfNew(Connection connection) {
        if (isNew.test(connection.getEndPoint())) {
            connection.getEndPoint().close();
        }
    }

    private static void endIfSilent(Connection connection) {
        if (connection.getMessagesIn() == 0) {
            connection.getEndPoint().close();
        }
    }

    @Override
    public void onClosed(Connection connection) {}
}
