package io.berth.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The request to stop. The first SIGINT, SIGTERM or SIGHUP asks for an orderly stop; a second one
/// ends the process at once. A part of the process may ask as well, which counts as the first
/// (P-331).
public final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Runnable end;

    public StopSignal() {
        this(() -> Runtime.getRuntime().halt(ExitCode.FAILED));
    }

    /// @param end ends the process
    StopSignal(Runnable end) {
        this.end = end;
    }

    /// A request that signals of the operating system make.
    public static StopSignal fromOperatingSystem() {
        var stop = new StopSignal();
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            Signals.on(name, stop::signalled);
        }
        return stop;
    }

    public void ask() {
        asked.countDown();
        listeners.forEach(Runnable::run);
    }

    /// Has something done when the request comes, besides waking those who wait for it. Does it at
    /// once if the request has come already, perhaps twice if it comes just now.
    public void whenAsked(Runnable action) {
        listeners.add(action);
        if (isAsked()) {
            action.run();
        }
    }

    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    public void await() throws InterruptedException {
        asked.await();
    }

    /// Waits for the request for at most that long; true if it has come.
    public boolean await(Duration limit) throws InterruptedException {
        return asked.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    void signalled() {
        if (isAsked()) {
            end.run();
        }
        ask();
    }
}
