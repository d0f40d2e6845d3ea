package io.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A network that misbehaves: passes bytes between loopback ports, late, not at all, or until it
/// cuts everybody off.
///
/// Each connection has two virtual threads, one for each direction. Any thread may change how the
/// network behaves; that takes effect with the next bytes.
final class FaultyProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean isRefusing;
    private volatile boolean isDeaf;

    /// Passes everything on to a port of this machine.
    FaultyProxy(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
        Thread.ofVirtual().name("faulty proxy").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /// New connections work, bytes pass at once. What was cut or forgotten stays so.
    void heal() {
        delay = Duration.ZERO;
        isRefusing = false;
        isDeaf = false;
    }

    /// Bytes arrive late.
    void delay(Duration by) {
        delay = by;
    }

    /// Ends all connections with a reset.
    void cut() {
        links.forEach(Link::reset);
    }

    /// As [#cut], and so are new connections until [#heal].
    void refuse() {
        isRefusing = true;
        cut();
    }

    /// Forgets all connections, as a router does that was restarted: both ends believe in them, and
    /// nothing arrives any more. New ones work.
    void forget() {
        links.forEach(link -> link.isForgotten = true);
    }

    /// As [#forget], and new connections are accepted and then forgotten too, until [#heal].
    void goDeaf() {
        isDeaf = true;
        forget();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        var link = new Link(client, new Socket());
        try {
            if (isRefusing) {
                link.reset();
                return;
            }
            client.setTcpNoDelay(true);
            link.server.setTcpNoDelay(true);
            link.isForgotten = isDeaf;
            link.server.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
            links.add(link);
            Thread.ofVirtual().start(() -> link.pass(client, link.server));
            link.pass(link.server, client);
        } catch (IOException unreachable) {
            link.reset();
        }
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean isForgotten;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        private void pass(Socket from, Socket to) {
            var buffer = new byte[16 * 1024];
            try {
                for (int count = from.getInputStream().read(buffer);
                        count >= 0;
                        count = from.getInputStream().read(buffer)) {
                    if (isForgotten) {
                        continue;
                    }
                    Thread.sleep(delay);
                    to.getOutputStream().write(buffer, 0, count);
                }
                if (!isForgotten) {
                    reset();
                }
            } catch (IOException broken) {
                reset();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /// Without lingering a close is a reset.
        private void reset() {
            links.remove(this);
            for (Socket socket : new Socket[] {client, server}) {
                try (socket) {
                    if (!socket.isClosed()) {
                        socket.setSoLinger(true, 0);
                    }
                } catch (IOException alreadyGone) {
                    // It is closed, which is what was wanted.
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            cut();
        }
    }
}
