package io.berth.controllers.loop;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Does small things later. Shared by all loops; what it does must be quick.
public final class Timer implements AutoCloseable {
    private final ScheduledThreadPoolExecutor executor =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("controllers-timer").factory());

    public Timer() {
        executor.setRemoveOnCancelPolicy(true);
    }

    /// @return ends it, if it has not happened yet
    Runnable after(Duration delay, Runnable what) {
        try {
            var planned = executor.schedule(what, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException over) {
            return () -> {};
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
