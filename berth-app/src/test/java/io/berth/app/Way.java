package io.berth.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes bytes on to a server, until it swallows those of the connections that are open, or is
/// gone for a while.
final class Way implements AutoCloseable {
    final AtomicInteger opened = new AtomicInteger();
    private volatile ServerSocket listener = listen(0);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<AtomicBoolean> valves = ConcurrentHashMap.newKeySet();
    private final int target;

    Way(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    private static ServerSocket listen(int port) throws IOException {
        var socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        return socket;
    }

    URI uri() {
        return URI.create("https://127.0.0.1:" + listener.getLocalPort());
    }

    /// Breaks all connections and takes no new ones.
    void cut() throws IOException {
        close();
        sockets.clear();
    }

    /// Is there again, on the same port.
    void restore() throws IOException {
        listener = listen(listener.getLocalPort());
        Thread.ofVirtual().start(this::accept);
    }

    void swallow() {
        valves.forEach(valve -> valve.set(false));
    }

    private void accept() {
        try {
            while (true) {
                var from = listener.accept();
                var to = new Socket(InetAddress.getLoopbackAddress(), target);
                opened.incrementAndGet();
                sockets.add(from);
                sockets.add(to);
                var open = new AtomicBoolean(true);
                valves.add(open);
                Thread.ofVirtual().start(() -> pump(from, to, open));
                Thread.ofVirtual().start(() -> pump(to, from, open));
            }
        } catch (IOException closed) {
            // The test is over.
        }
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
        listener.close();
        for (var socket : sockets) {
            socket.close();
        }
    }
}
