package io.berth.engine.cycle;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// The bindings that wait for the API server, in the order of their decisions.
///
/// One that has not been answered for long is left out: who waits for a server that does not answer
/// must not wait for ever. Owned by the engine thread.
final class BindingLine {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final int longest;

    /// When each pod joined, in milliseconds, by its uid.
    private final Map<String, Long> since = new LinkedHashMap<>();

    BindingLine(int longest) {
        this.longest = longest;
    }

    void join(String podUid, long nowMillis) {
        since.put(podUid, nowMillis);
    }

    void leave(String podUid) {
        since.remove(podUid);
    }

    boolean isFull() {
        return since.size() >= longest;
    }

    /// When it will not be full any more, whatever the server does.
    long nextDeadlineMillis() {
        return isFull() ? oldest() + PATIENCE.toMillis() : Long.MAX_VALUE;
    }

    /// Leaves out those that nobody should wait for any more.
    void expire(long nowMillis) {
        while (nextDeadlineMillis() <= nowMillis) {
            since.remove(since.keySet().iterator().next());
        }
    }

    private long oldest() {
        return since.values().iterator().next();
    }
}
