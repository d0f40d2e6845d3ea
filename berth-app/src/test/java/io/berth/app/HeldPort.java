package io.berth.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// A port that is ours and on which nobody listens yet.
///
/// A port that was merely free a moment ago may be anybody's by now. This one stays bound for as
/// long as the test needs it, so the system gives it to nobody who asks for any port; who asks for
/// this very one may listen on it.
public final class HeldPort implements AutoCloseable {
    private final Socket holder = new Socket();

    public HeldPort() throws IOException {
        // Lets a listener share the port with its holder.
        holder.setReuseAddress(true);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public int number() {
        return holder.getLocalPort();
    }

    /// Accepts connections from now on; once that is closed they are refused again.
    ServerSocket listen() throws IOException {
        return new ServerSocket(number(), 50, InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
