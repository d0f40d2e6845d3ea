package io.berth.app;

import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes bytes on to a server, until it swallows those of some or all connections, or is gone for
/// a while.
final class Way implements AutoCloseable {
    final AtomicInteger opened = new AtomicInteger();
    private final HeldPort port = new HeldPort();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<AtomicBoolean> valves = ConcurrentHashMap.newKeySet();
    private final int target;
    private volatile boolean stalled;
    private ServerSocket listener;
    private Thread acceptor;

    Way(int target) throws IOException {
        this.target = target;
        this.listener = port.listen();
        this.acceptor = start(listener);
    }

    URI uri() {
        return URI.create("https://127.0.0.1:" + port.number());
    }

    /// Breaks all connections and takes no new ones.
    void cut() throws IOException {
        listener.close();
        try {
            // Until its thread has left it the system goes on to accept connections.
            acceptor.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        for (var socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    /// Is there again, on the same port.
    void restore() throws IOException {
        listener = port.listen();
        acceptor = start(listener);
    }

    /// Swallows what comes over the connections that are open.
    void swallow() {
        valves.forEach(valve -> valve.set(false));
    }

    /// Swallows what comes over any connection from now on.
    void stall() {
        stalled = true;
        swallow();
    }

    private Thread start(ServerSocket from) {
        return Thread.ofVirtual().start(() -> accept(from));
    }

    private void accept(ServerSocket listening) {
        try {
            while (true) {
                var from = listening.accept();
                sockets.add(from);
                try {
                    connect(from);
                } catch (IOException refused) {
                    from.close();
                }
            }
        } catch (IOException closed) {
            // No more connections, at least for a while.
        }
    }

    private void connect(Socket from) throws IOException {
        var to = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(to);
        opened.incrementAndGet();
        var open = new AtomicBoolean(true);
        valves.add(open);
        if (stalled) {
            open.set(false);
        }
        Thread.ofVirtual().start(() -> pump(from, to, open));
        Thread.ofVirtual().start(() -> pump(to, from, open));
    }

    private static void pump(Socket from, Socket to, AtomicBoolean open) {
        var buffer = new byte[8192];
        try {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                if (open.get()) {
                    to.getOutputStream().write(buffer, 0, n);
                }
            }
        } catch (IOException closed) {
            // One of the two has had enough.
        }
    }

    @Override
    public void close() throws IOException {
        cut();
        port.close();
    }
}
