package io.berth.controllers.loop;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Keys that wait to be looked at. A key waits once, however often it is named, and is handed to
/// one worker at a time; named while it is worked on, it waits again after that. So the queue is
/// never longer than there are objects.
///
/// Called by many threads; every access holds the object's lock, in which workers wait.
final class WorkQueue {
    @GuardedBy("this") private final Deque<String> order = new ArrayDeque<>();

    @GuardedBy("this") private final Set<String> waiting = new HashSet<>();

    @GuardedBy("this") private final Set<String> working = new HashSet<>();

    @GuardedBy("this") private boolean closed;

    synchronized void add(String key) {
        if (closed || !waiting.add(key) || working.contains(key)) {
            return;
        }
        order.addLast(key);
        notifyAll();
    }

    /// The next key; waits for one. Nothing at the end.
    synchronized Optional<String> take() throws InterruptedException {
        while (order.isEmpty() && !closed) {
            wait();
        }
        if (closed) {
            return Optional.empty();
        }
        String key = order.removeFirst();
        waiting.remove(key);
        working.add(key);
        return Optional.of(key);
    }

    synchronized void done(String key) {
        working.remove(key);
        if (waiting.contains(key)) {
            order.addLast(key);
            notifyAll();
        }
    }

    synchronized int size() {
        return waiting.size() + working.size();
    }

    synchronized void close() {
        closed = true;
        order.clear();
        waiting.clear();
        notifyAll();
    }
}
