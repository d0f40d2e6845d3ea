package io.berth.kube.lease;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Drives an election in a process, on a thread of its own. It is one of the operating system: what
/// works on virtual threads, however much it is, holds up no renewal.
public final class ElectionThread implements AutoCloseable {
    /// What becomes of the election. Called on a thread of its own, so that it may block without
    /// holding up renewals.
    public interface Listener {
        /// This process leads. Called at most once.
        void startedLeading();

        /// The election is over for this process, even if it never led. Called exactly once.
        ///
        /// @param last `STOPPED` as it was asked to; otherwise how it ended against its will
        void stoppedLeading(LeaderElector.Phase last);
    }

    private final LeaderElector elector;
    private final Listener listener;
    private final Thread thread;
    private final CountDownLatch stopAsked = new CountDownLatch(1);

    public ElectionThread(LeaderElector elector, Listener listener) {
        this.elector = elector;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("leader-election").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        boolean led = false;
        try {
            while (!isOver()) {
                long pause = elector.step();
                if (!led && elector.phase() == LeaderElector.Phase.LEADING) {
                    led = true;
                    tell("leading", listener::startedLeading);
                }
                if (!isOver() && stopAsked.await(pause, TimeUnit.NANOSECONDS)) {
                    elector.stop();
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            // Whatever ended this thread: nobody renews any more.
            elector.fence().close();
            var last = isOver() ? elector.phase() : LeaderElector.Phase.LOST;
            tell("election-over", () -> listener.stoppedLeading(last));
        }
    }

    private boolean isOver() {
        return elector.phase().isOver();
    }

    private static void tell(String name, Runnable what) {
        Thread.ofPlatform().daemon().name(name).start(what);
    }

    /// Asks the election to end, which releases the lease where it is ours.
    public void stop() {
        stopAsked.countDown();
    }

    /// Waits for the election's end.
    ///
    /// @return whether it came in time
    public boolean await(Duration limit) throws InterruptedException {
        return thread.join(limit);
    }

    /// Ends the election, waiting for as long as a release may take.
    @Override
    public void close() {
        stop();
        try {
            thread.join(elector.releaseLimit());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
