package io.berth.bench.stress;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/// How long bindings take from the last word of the plugins to their arrival at the API server.
///
/// Told by plugins' threads and by the server's.
final class Bindings {
    private final Map<String, Long> decidedAt = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private volatile String longestOf = "none";

    /// Nothing but the binding is left to do for a pod.
    void decided(String pod) {
        decidedAt.put(pod, System.nanoTime());
    }

    /// @param held for how long the server itself kept writes of this pod waiting since a moment
    void arrived(String pod, long nowNanos, LongUnaryOperator held) {
        var since = decidedAt.remove(pod);
        if (since == null) {
            return;
        }
        count.incrementAndGet();
        long waited = nowNanos - since - held.applyAsLong(since);
        if (longestNanos.getAndAccumulate(waited, Math::max) < waited) {
            longestOf = pod;
        }
    }

    /// Forgets what was slow until now.
    void warm() {
        longestNanos.set(0);
        longestOf = "none";
    }

    long count() {
        return count.get();
    }

    long longestNanos() {
        return longestNanos.get();
    }

    String longestOf() {
        return longestOf;
    }
}
