package io.berth.kube.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches over open streams, so that a connection whose other end vanished is noticed.
///
/// A quiet stream is normal. What tells a quiet server from one that is gone: another request gets
/// an answer or it does not. Where it does not, all connections are given up. A single connection
/// that died is found by the operating system's keep-alive, by the stream's own limit of silence,
/// or, where something on the way keeps it alive, by the [ApiStream.Probe] of whoever reads it: it
/// learns elsewhere what the stream should have told.
///
/// Thread-safe; its own virtual thread looks around a few times per idle period.
final class StreamGuard implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StreamGuard.class);

    /// With the usual half minute: longer than the time between two bookmarks.
    private static final int IDLE_PERIODS = 3;

    private final ClientOptions options;
    private final Transport transport;
    private final Predicate<Wire> ping;
    private final Set<ApiStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean pinging = new AtomicBoolean();
    private @Nullable Thread thread;
    private volatile long pingedAt = System.nanoTime();
    private volatile boolean closed;

    StreamGuard(ClientOptions options, Transport transport, Predicate<Wire> ping) {
        this.options = options;
        this.transport = transport;
        this.ping = ping;
    }

    ApiStream watch(Wire.Beginning answer, Wire carrier, Runnable cancel) {
        var holder = new ApiStream[1];
        var stream =
                new ApiStream(
                        answer.body(),
                        answer.contentType(),
                        carrier,
                        () -> {
                            streams.remove(holder[0]);
                            cancel.run();
                        });
        holder[0] = stream;
        streams.add(stream);
        if (closed) {
            stream.close();
        }
        start();
        return stream;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            thread = Thread.ofVirtual().name("kube-stream-guard").start(this::run);
        }
    }

    private void run() {
        long step = Math.clamp(options.readIdle().toMillis() / 4, 20, 1000);
        try {
            while (!closed) {
                Thread.sleep(Duration.ofMillis(step));
                lookAround();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAround() {
        long idle = options.readIdle().toNanos();
        for (var stream : streams) {
            if (stream.isSilentForTooLong()) {
                stream.cut();
            } else if (stream.isOverdue(options.pingTimeout())) {
                log.atWarn().log("A connection carries nothing any more, opening a new one");
                stream.cut();
            } else if (stream.isToBeProbed(IDLE_PERIODS * idle)) {
                probe(stream);
            } else if (stream.silentNanos() > idle && System.nanoTime() - pingedAt > idle) {
                test(stream.carrier());
            }
        }
    }

    private static void probe(ApiStream stream) {
        // What died may not have died alone.
        stream.carrier().closeIdle();
        Thread.ofVirtual().name("kube-stream-probe").start(stream::probe);
    }

    /// A request got no answer in time: find out whether its connection is to blame.
    void suspect() {
        if (!closed) {
            test(transport.current());
        }
    }

    private void test(Wire carrier) {
        if (pinging.compareAndSet(false, true)) {
            pingedAt = System.nanoTime();
            Thread.ofVirtual()
                    .name("kube-ping")
                    .start(() -> {
                        try {
                            if (!ping.test(carrier) && !closed) {
                                log.atWarn()
                                        .log(
                                                "API server does not answer, opening a new connection");
                                transport.replace(carrier);
                                streams.stream()
                                        .filter(stream -> carrier.equals(stream.carrier()))
                                        .forEach(ApiStream::cut);
                            }
                        } finally {
                            pinging.set(false);
                        }
                    });
        }
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            if (thread != null) {
                thread.interrupt();
            }
        }
        streams.forEach(ApiStream::close);
    }
}
