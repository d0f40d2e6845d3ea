package io.berth.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The request to stop. The first SIGINT, SIGTERM or SIGHUP asks for an orderly stop; a second one
/// ends the process at once.
public final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);

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

    private void signalled() {
        if (isAsked()) {
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
        ask();
    }
}
