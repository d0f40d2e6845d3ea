package io.berth.engine.intake;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The way into the engine thread.
///
/// Any thread may post; only the engine thread takes. Posting blocks while the box is full, so that
/// a flood slows its source down. The engine thread itself never blocks on its own box: what it
/// posts goes to a side queue that it takes from first.
public final class Mailbox {
    private final ArrayBlockingQueue<Message> box;
    private final Queue<Message> own = new ArrayDeque<>();
    private volatile @Nullable Thread owner;
    private volatile boolean closed;

    public Mailbox(int capacity) {
        box = new ArrayBlockingQueue<>(capacity);
    }

    /// Names the engine thread: the one that calls this.
    public void adopt() {
        owner = Thread.currentThread();
    }

    public void post(Message message) {
        if (Thread.currentThread().equals(owner)) {
            own.add(message);
            return;
        }
        boolean interrupted = false;
        try {
            while (!closed) {
                try {
                    box.put(message);
                    if (closed) {
                        // Makes room for whoever waits behind us.
                        box.poll();
                    }
                    return;
                } catch (InterruptedException _) {
                    // Losing a message would corrupt the state: finish, then let the caller know.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// The next message, or null where there is none now. Engine thread only.
    public @Nullable Message poll() {
        var message = own.poll();
        return message != null ? message : box.poll();
    }

    /// Waits for a message for at most so long. Engine thread only.
    public @Nullable Message await(long millis) throws InterruptedException {
        var message = own.poll();
        return message != null ? message : box.poll(millis, TimeUnit.MILLISECONDS);
    }

    /// Drops what is in the box and what is still posted: nobody takes it any more.
    public void close() {
        closed = true;
        box.clear();
    }

    public int size() {
        return box.size();
    }
}
