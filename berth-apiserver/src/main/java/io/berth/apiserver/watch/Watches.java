package io.berth.apiserver.watch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The open watches: counted, cut off when their client does not read, ended when the server stops.
///
/// Called by request threads and by the housekeeping thread.
public final class Watches {
    private final Map<WatchSession, Runnable> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// Notes a watch.
    ///
    /// @param abort ends the connection under a watch that is stuck in a write
    /// @return false if the server is stopping
    public boolean add(WatchSession session, Runnable abort) {
        open.put(session, abort);
        if (closed) {
            open.remove(session);
        }
        return !closed;
    }

    public void remove(WatchSession session) {
        open.remove(session);
    }

    public int count() {
        return open.size();
    }

    /// Aborts watches whose client has not taken anything for longer than `patience`.
    public void cutOffStuck(Duration patience) {
        long now = System.nanoTime();
        open.forEach((session, abort) -> {
            long since = session.stuckSinceNanos();
            if (since != 0 && now - since > patience.toNanos()) {
                session.cancel();
                abort.run();
            }
        });
    }

    /// Ends all watches and admits no new ones.
    public void close() {
        closed = true;
        open.keySet().forEach(WatchSession::cancel);
    }
}
