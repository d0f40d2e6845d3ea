package io.berth.e2e.flood;

import io.berth.testkit.TrustAnyone;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/// Many clients that ask one port for `/healthz`, each time on a new connection with a whole
/// handshake, again and again. A process of its own, so that it takes nothing from who measures.
///
/// Its words are the port, the number of clients, and for how many seconds. It prints one line with
/// how many were answered with 200, how many otherwise, and how many not at all.
public final class Crowd {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] REQUEST =
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final long endNanos;
    private final SSLSocketFactory tls = trusting().getSocketFactory();
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong healthy = new AtomicLong();
    private final AtomicLong other = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    private Crowd(int port, Duration length) {
        this.port = port;
        this.endNanos = System.nanoTime() + length.toNanos();
    }

    public static void main(String[] args) throws InterruptedException {
        var crowd =
                new Crowd(Integer.parseInt(args[0]), Duration.ofSeconds(Integer.parseInt(args[2])));
        crowd.run(Integer.parseInt(args[1]));
        System.out.println(crowd.healthy + " " + crowd.other + " " + crowd.failed);
        System.exit(0);
    }

    private void run(int clients) throws InterruptedException {
        var all = new ArrayList<Thread>();
        for (int i = 0; i < clients; i++) {
            all.add(Thread.startVirtualThread(this::askOnAndOn));
        }
        for (Thread client : all) {
            client.join(Math.max(1, (endNanos - System.nanoTime()) / 1_000_000));
        }
    }

    private void askOnAndOn() {
        while (System.nanoTime() - endNanos < 0) {
            try {
                (ask().startsWith("HTTP/1.1 200") ? healthy : other).incrementAndGet();
            } catch (IOException refused) {
                failed.incrementAndGet();
            }
        }
    }

    private String ask() throws IOException {
        try (var plain = new Socket()) {
            plain.setSoTimeout((int) PATIENCE.toMillis());
            plain.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    (int) PATIENCE.toMillis());
            // A name of its own, so that no session is taken up again.
            String name = "client-" + connections.incrementAndGet();
            try (var socket = tls.createSocket(plain, name, port, true)) {
                socket.getOutputStream().write(REQUEST);
                return new String(
                        socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            }
        }
    }

    private static SSLContext trusting() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAnyone()}, null);
            context.getClientSessionContext().setSessionCacheSize(1);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("no TLS in this JVM", impossible);
        }
    }
}
