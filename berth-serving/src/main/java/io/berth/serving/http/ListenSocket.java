package io.berth.serving.http;

import io.berth.config.text.FileProblems;
import io.berth.serving.tls.ServingException;
import io.berth.serving.tls.ServingSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;

/// A bound port that nobody serves yet. Binding comes early in the start of the process, so that a
/// taken port ends it before it does anything else.
public final class ListenSocket implements AutoCloseable {
    /// As many as the system allows, as Go's listeners do: who comes in a crowd waits here.
    private static final int BACKLOG = 4096;

    private final ServerSocketChannel channel;

    private ListenSocket(ServerSocketChannel channel) {
        this.channel = channel;
    }

    /// @throws ServingException if the address cannot be had
    public static ListenSocket bind(ServingSettings settings) {
        return bind(
                settings.bindAddress(),
                settings.port(),
                settings.sharePort(),
                settings.shareAddress());
    }

    public static ListenSocket bind(
            InetAddress address, int port, boolean sharePort, boolean shareAddress) {
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                if (sharePort) {
                    channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                }
                if (shareAddress) {
                    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                }
                channel.bind(new InetSocketAddress(address, port), BACKLOG);
                return new ListenSocket(channel);
            } catch (IOException | RuntimeException refused) {
                channel.close();
                throw refused;
            }
        } catch (IOException refused) {
            String wanted = text(new InetSocketAddress(address, port));
            throw new ServingException(
                    "failed to create listener: failed to listen on %s: listen tcp %s: %s"
                            .formatted(wanted, wanted, reason(refused)),
                    refused);
        }
    }

    private static String reason(IOException refused) {
        String said = String.valueOf(refused.getMessage());
        return refused instanceof BindException && said.contains("already in use")
                ? "bind: address already in use"
                : "bind: " + FileProblems.reason(refused);
    }

    ServerSocketChannel channel() {
        return channel;
    }

    public int port() {
        return channel.socket().getLocalPort();
    }

    /// Such as `127.0.0.1:10259`; `[::]:10259` for all interfaces.
    public String address() {
        try {
            return text((InetSocketAddress) channel.getLocalAddress());
        } catch (IOException closed) {
            return "closed";
        }
    }

    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        int zone = host.indexOf('%');
        String plain = zone < 0 ? host : host.substring(0, zone);
        String shown =
                address.getAddress().isAnyLocalAddress() && plain.contains(":") ? "::" : plain;
        return (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + address.getPort();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException alreadyClosed) {
            // Nothing listens any more, which is what was asked for.
        }
    }
}
