package io.berth.serving.http;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The threads of a port: few, and none that placing pods depends on.
///
/// They are threads of the operating system. Virtual ones would share their carriers with watches,
/// bindings and whatever else of the process waits, and thousands of handshakes would be in front
/// of those.
///
/// - *Wire*: accept, shake hands, read and write. They never wait for anything but the network.
/// - *Probes*: answer whoever asks for health. Their line has no end but that of the connections.
/// - *Calls*: answer everything else, and may wait for the API server.
/// - *Streams*: send replies that have no end, and wait for clients.
final class PortThreads implements AutoCloseable {
    /// One accepts, one selects, the others shake hands.
    private static final int WIRE = 4;

    private static final int PROBES = 2;
    private static final String CACHE_LINE = "org.eclipse.jetty.util.referencesPerCacheLine";
    private static final Duration IDLE = Duration.ofSeconds(30);

    static {
        // Jetty would ask the JVM's management server how many references share a line of the
        // processor's cache, and have that server described: 160 classes, and the settings of
        // Flight Recorder parsed. They are of four bytes each, and lines of 64.
        if (System.getProperty(CACHE_LINE) == null) {
            System.setProperty(CACHE_LINE, "16");
        }
    }

    private final QueuedThreadPool wire = new QueuedThreadPool(WIRE, WIRE);
    private final ThreadPoolExecutor probes;
    private final ThreadPoolExecutor calls;
    private final ThreadPoolExecutor streams;

    PortThreads(PortLimits limits) {
        wire.setName("port-wire");
        wire.setDaemon(true);
        wire.setReservedThreads(0);
        probes = pool("port-probe-", PROBES, PROBES, new LinkedBlockingQueue<>());
        calls = pool("port-call-", 0, limits.calls(), new SynchronousQueue<>());
        streams = pool("port-stream-", 0, limits.streams(), new SynchronousQueue<>());
    }

    private static ThreadPoolExecutor pool(
            String name, int least, int most, BlockingQueue<Runnable> line) {
        ThreadFactory threads = Thread.ofPlatform().daemon().name(name, 0).factory();
        var pool =
                new ThreadPoolExecutor(
                        least, most, IDLE.toMillis(), TimeUnit.MILLISECONDS, line, threads);
        if (least > 0) {
            pool.allowCoreThreadTimeOut(true);
        }
        return pool;
    }

    QueuedThreadPool wire() {
        return wire;
    }

    Executor probes() {
        return probes;
    }

    /// Has a call answered on a thread of its own.
    ///
    /// @return false where too many are at work
    boolean call(Runnable work) {
        return offer(calls, work);
    }

    /// Has a reply sent bit by bit on a thread of its own.
    ///
    /// @return false where too many are being sent
    boolean stream(Runnable work) {
        return offer(streams, work);
    }

    /// Interrupts those that send streams; there are no more.
    void endStreams() {
        streams.shutdownNow();
    }

    private static boolean offer(ThreadPoolExecutor pool, Runnable work) {
        try {
            pool.execute(work);
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }

    @Override
    public void close() {
        endStreams();
        probes.shutdownNow();
        calls.shutdownNow();
    }
}
