package io.berth.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/// A port of loopback on which nobody listens until the test says so: connections to it are
/// refused.
///
/// A port that was merely free a moment ago may be anybody's by now: another process's, or the near
/// end of the very connection that should have been refused. This one is bound for as long as the
/// test needs it, so the system gives it to nobody who asks for any port; who asks for this very
/// one may listen on it.
public final class HeldPort implements AutoCloseable {
    private final Socket holder = new Socket();

    public HeldPort() throws IOException {
        // Lets our own listener share the port with its holder.
        holder.setReuseAddress(true);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public int number() {
        return holder.getLocalPort();
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + number());
    }

    /// Accepts connections from now on; once that is closed they are refused again.
    public ServerSocket listen() throws IOException {
        return new ServerSocket(number(), 50, InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
