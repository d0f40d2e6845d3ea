package io.berth.engine.intake;

import io.berth.engine.message.Message;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The way into the engine thread, in two lanes.
///
/// ```
///   watches ──wait for room──► news      ─┐
///                                         ├─ in turns ─► engine thread
///   tasks, plugins, questions ► outcomes ─┘
/// ```
///
/// Any thread may post; only the engine thread takes. Posting news blocks while their lane is full,
/// so that a flood slows its source down; whoever waits longest gets the next place. Everything
/// else never waits: there are only as many outcomes as things under way, and somebody who holds
/// what the engine needs may be the one who posts. The lanes are taken from in turns, so that
/// neither keeps the other waiting for long. What the engine thread posts while it decides it takes
/// first.
///
/// No lock is held here by anybody, so no order of locks has to be kept.
public final class Mailbox {
    private final int capacity;
    private final Semaphore room;
    private final Queue<Message> news = new ConcurrentLinkedQueue<>();
    private final Queue<Message> outcomes = new ConcurrentLinkedQueue<>();
    private final Queue<Message> own = new ArrayDeque<>();
    private boolean newsAreNext;
    private boolean isDeciding;
    private volatile @Nullable Thread owner;
    private volatile boolean sleeps;
    private volatile boolean closed;

    /// @param capacity how much news may wait
    public Mailbox(int capacity) {
        this.capacity = capacity;
        this.room = new Semaphore(capacity, true);
    }

    /// Names the engine thread: the one that calls this.
    public void adopt() {
        owner = Thread.currentThread();
    }

    /// Whether the engine thread asks.
    public boolean isOwner() {
        return Thread.currentThread().equals(owner);
    }

    /// Whether the engine thread asks, and is deciding something.
    public boolean isDeciding() {
        return isOwner() && isDeciding;
    }

    /// From here on, or until here, what the engine thread does follows from what it was told.
    /// Engine thread only.
    public void deciding(boolean begins) {
        isDeciding = begins;
    }

    public void post(Message message) {
        if (isDeciding()) {
            own.add(message);
        } else if (message instanceof Message.News && !isOwner()) {
            postNews(message);
        } else {
            postOutcome(message);
        }
    }

    /// What came of something outside, even where the engine thread itself is who finds out, such
    /// as that there is no thread for a task: it does not follow from what the engine was told.
    public void postOutcome(Message message) {
        if (closed) {
            drop(message);
        } else {
            outcomes.add(message);
            wake();
        }
    }

    /// Nobody waits for the answer to a question that is not heard.
    private static void drop(Message message) {
        if (message instanceof Message.Ask(var question)) {
            question.drop();
        }
    }

    /// Losing a message would corrupt the state, so even an interrupted poster waits.
    private void postNews(Message message) {
        room.acquireUninterruptibly();
        if (closed) {
            // The next one who waits for room goes its way too.
            room.release();
        } else {
            news.add(message);
            wake();
        }
    }

    /// For a replay: has messages taken in exactly the order in which they are posted. Engine
    /// thread only.
    public void postInOrder(Message message) {
        outcomes.add(message);
    }

    private void wake() {
        if (sleeps) {
            LockSupport.unpark(owner);
        }
    }

    /// Whether the next message is one that the engine thread posted itself. Engine thread only.
    public boolean hasOwn() {
        return !own.isEmpty();
    }

    /// The next message, or null where there is none now. Engine thread only.
    public @Nullable Message poll() {
        var message = own.poll();
        if (message != null) {
            return message;
        }
        boolean newsWereNext = newsAreNext;
        newsAreNext = !newsWereNext;
        message = newsWereNext ? pollNews() : outcomes.poll();
        if (message == null) {
            newsAreNext = newsWereNext;
            message = newsWereNext ? outcomes.poll() : pollNews();
        }
        return message;
    }

    private @Nullable Message pollNews() {
        var message = news.poll();
        if (message != null) {
            room.release();
        }
        return message;
    }

    /// Waits for a message, for at most so long and now and then for less. Engine thread only.
    public void await(long millis) throws InterruptedException {
        sleeps = true;
        try {
            if (isEmpty() && millis > 0) {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
            }
            if (isEmpty() && Thread.interrupted()) {
                throw new InterruptedException();
            }
        } finally {
            sleeps = false;
        }
    }

    private boolean isEmpty() {
        return own.isEmpty() && outcomes.isEmpty() && news.isEmpty();
    }

    /// Drops what is in the box and what is still posted: nobody takes it any more. From any
    /// thread.
    public void close() {
        closed = true;
        room.release();
        news.clear();
        for (var message = outcomes.poll(); message != null; message = outcomes.poll()) {
            drop(message);
        }
    }

    /// How much news waits.
    public int size() {
        return Math.max(0, capacity - room.availablePermits());
    }
}
