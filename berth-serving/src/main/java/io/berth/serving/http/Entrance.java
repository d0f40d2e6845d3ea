package io.berth.serving.http;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.ServerConnector;

/// Lets connections in as long as there is room for them and not too many are being greeted. The
/// others wait in the system's line.
///
/// Who takes a place and says nothing must not keep probes out: while others wait, connections that
/// have been silent for a while make room, the longest silent ones first. One whose call is being
/// answered may be silent meanwhile.
///
/// Called by the threads that accept, shake hands and close; all of its state is made for that.
final class Entrance
        implements Connection.Listener, SslHandshakeListener, SelectorManager.AcceptListener {
    private static final Duration LOOK = Duration.ofMillis(100);

    /// Who has said nothing for so long is not being greeted, but waited for.
    private static final Duration PAUSE = Duration.ofMillis(300);

    /// So many make room at once, at most.
    private static final int LEAVE_AT_ONCE = 64;

    private final ServerConnector connector;
    private final PortLimits limits;
    private final Predicate<EndPoint> isAtWork;
    private final AtomicInteger arriving = new AtomicInteger();
    private final Set<EndPoint> newcomers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /// @param isAtWork whether a call of a connection is being answered
    Entrance(ServerConnector connector, PortLimits limits, Predicate<EndPoint> isAtWork) {
        this.connector = connector;
        this.limits = limits;
        this.isAtWork = isAtWork;
    }

    @Override
    public void onAccepting(SelectableChannel channel) {
        arriving.incrementAndGet();
        judge();
    }

    @Override
    public void onAccepted(SelectableChannel channel) {
        arriving.decrementAndGet();
        judge();
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable failure) {
        arriving.decrementAndGet();
        judge();
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            newcomers.add(connection.getEndPoint());
        }
    }

    @Override
    public void handshakeSucceeded(Event event) {
        newcomers.remove(wire(event.getEndPoint()));
        judge();
    }

    /// A handshake is told with the end that is already deciphered, a connection with that below.
    private static EndPoint wire(EndPoint end) {
        return end instanceof SslConnection.SslEndPoint clear
                ? clear.getSslConnection().getEndPoint()
                : end;
    }

    @Override
    public void onClosed(Connection connection) {
        newcomers.remove(connection.getEndPoint());
    }

    @Override
    public void onClosed(SelectableChannel channel) {
        judge();
    }

    /// Whether the handshake of a connection is still under way.
    boolean isNew(EndPoint endPoint) {
        return newcomers.contains(endPoint);
    }

    private boolean isFull() {
        return connector.getConnectedEndPoints().size() + arriving.get() >= limits.connections();
    }

    /// Whether as many handshakes are under way as may be. Who keeps silent takes nobody's time.
    private boolean isGreeting() {
        int greeted = arriving.get();
        for (var one : newcomers) {
            greeted += idleMillis(one) < PAUSE.toMillis() ? 1 : 0;
        }
        return greeted >= limits.handshakes();
    }

    private static long idleMillis(EndPoint endPoint) {
        return endPoint instanceof AbstractEndPoint known ? known.getIdleFor() : 0;
    }

    /// Opens or closes the entrance. What changes meanwhile judges again, and so does time: who is
    /// silent for a while makes room.
    private synchronized void judge() {
        boolean shut = isFull() || isGreeting();
        if (connector.isAccepting() == shut) {
            connector.setAccepting(!shut);
        }
        if (shut && looking.compareAndSet(false, true)) {
            connector
                    .getScheduler()
                    .schedule(this::makeRoom, LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void makeRoom() {
        looking.set(false);
        if (isFull()) {
            silent().forEach(EndPoint::close);
        }
        judge();
    }

    private List<AbstractEndPoint> silent() {
        return connector.getConnectedEndPoints().stream()
                .filter(AbstractEndPoint.class::isInstance)
                .map(AbstractEndPoint.class::cast)
                .filter(one -> one.getIdleFor() >= limits.silence().toMillis() && !isAtWork(one))
                .sorted(Comparator.comparingLong(AbstractEndPoint::getIdleFor).reversed())
                .limit(LEAVE_AT_ONCE)
                .toList();
    }

    private boolean isAtWork(EndPoint endPoint) {
        return isAtWork.test(
                endPoint.getConnection() instanceof SslConnection tls
                        ? tls.getSslEndPoint()
                        : endPoint);
    }
}
