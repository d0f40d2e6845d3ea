package io.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// The ports of a control plane on loopback.
record Ports(int etcdClient, int etcdPeer, int api) {
    /// Three ports that nobody listens on right now.
    static Ports free() {
        try (var first = listen();
                var second = listen();
                var third = listen()) {
            return new Ports(first.getLocalPort(), second.getLocalPort(), third.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
    }

    /// One port that nobody listens on right now.
    static int freeOne() {
        try (var socket = listen()) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }
}
