package io.berth.app.serve;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.thread.Scheduler;

/// Ends connections that have not brought a whole request in time, however busily they send.
record SlowStart(Scheduler scheduler, Duration limit) implements Connection.Listener {
    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof ConnectionMetaData) {
            scheduler.schedule(
                    () -> endIfSilent(connection), limit.toMillis(), TimeUnit.MILLISECONDS);
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
