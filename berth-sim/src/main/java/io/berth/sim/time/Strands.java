package io.berth.sim.time;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Blocking code that takes turns with its driver, so that a task can wait for an answer while
/// virtual time goes on.
///
/// Each strand has a thread, but only one thread of all runs at a time: the driver hands the turn
/// to a strand and gets it back when the strand pauses or ends. So nothing depends on how the
/// machine schedules threads.
///
/// ```
///   driver   ──start──┐        ┌──resume──┐       ┌──────
///   strand            └─pause──┘          └──end──┘
/// ```
public final class Strands {
    /// Of real time; a strand mostly needs less than a millisecond of it.
    private static final int PATIENCE_SECONDS = 30;

    private final Set<Strand> open = new LinkedHashSet<>();
    private @Nullable Strand running;

    /// A piece of blocking code under way.
    public static final class Strand {
        private final String name;
        private final Semaphore turn = new Semaphore(0);
        private final Semaphore back = new Semaphore(0);
        private @Nullable Thread thread;
        private @Nullable Throwable failure;
        private boolean isCancelled;
        private boolean hasEnded;

        private Strand(String name) {
            this.name = name;
        }

        public String name() {
            return name;
        }

        public boolean hasEnded() {
            return hasEnded;
        }

        private void run(Runnable body) {
            turn.acquireUninterruptibly();
            try {
                body.run();
            } catch (Cancelled _) {
                // The process it belonged to is no more.
            } catch (Throwable broken) {
                failure = broken;
            }
            hasEnded = true;
            back.release();
        }
    }

    /// Thrown in a strand that is to end where it pauses. An error, so that handlers of exceptions
    /// let it pass.
    private static final class Cancelled extends Error {
        private static final long serialVersionUID = 1L;

        Cancelled() {
            super("cancelled", null, false, false);
        }
    }

    /// Runs code until it first pauses or ends.
    public void start(String name, Runnable body) {
        var strand = new Strand(name);
        open.add(strand);
        strand.thread = Thread.ofVirtual().name(name).start(() -> strand.run(body));
        handOver(strand);
    }

    /// The strand that has the turn.
    public Strand current() {
        var current = running;
        if (current == null) {
            throw new IllegalStateException("the driver has the turn, not a strand");
        }
        return current;
    }

    /// The name of the strand that has the turn; empty where it is the driver's.
    public String currentName() {
        return running == null ? "" : running.name;
    }

    /// In a strand: gives the turn back until [#resume].
    public void pause() {
        var strand = current();
        if (!strand.isCancelled) {
            strand.back.release();
            strand.turn.acquireUninterruptibly();
        }
        if (strand.isCancelled) {
            throw new Cancelled();
        }
    }

    /// Lets a paused strand go on until it pauses again or ends. One that has ended is left alone.
    public void resume(Strand strand) {
        if (!strand.hasEnded) {
            handOver(strand);
        }
    }

    /// How many strands have not ended.
    public int openCount() {
        return open.size();
    }

    /// The names of the strands that have not ended.
    public List<String> openNames() {
        return open.stream().map(Strand::name).toList();
    }

    /// Ends all strands where they pause.
    public void cancelAll() {
        for (var strand : new ArrayList<>(open)) {
            strand.isCancelled = true;
            resume(strand);
        }
    }

    /// A strand that waits for anything but its turn would wait for ever: nothing else runs
    /// meanwhile. In a process it may be the engine thread that waits for it.
    private static void awaitBack(Strand strand) {
        try {
            if (!strand.back.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                strand.hasEnded = true;
                throw new StuckStrandException(strand.name, strand.thread);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private void handOver(Strand strand) {
        var before = running;
        running = strand;
        strand.turn.release();
        awaitBack(strand);
        running = before;
        if (strand.hasEnded) {
            open.remove(strand);
        }
        switch (strand.failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            case Throwable other -> throw new IllegalStateException(other);
        }
    }
}
