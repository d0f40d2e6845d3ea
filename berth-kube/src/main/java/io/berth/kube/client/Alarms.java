package io.berth.kube.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Alarms of which hardly any ever goes off: they are set and taken back some thousand times a
/// second.
///
/// One thread sleeps until the first of those that it saw is due, and looks again then. It is woken
/// where one is set that is due before that, and by nothing else, so an alarm that is taken back in
/// time costs no lock and no switch of threads.
///
/// Thread-safe.
final class Alarms {
    private static final Logger log = LoggerFactory.getLogger(Alarms.class);
    private static final long NEVER = Long.MAX_VALUE;

    private final long start = System.nanoTime();
    private final Set<Alarm> set = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    /// When the thread will look again. It is set to [#NEVER] before a look, so that whoever sets
    /// an alarm meanwhile wakes the thread, and has a second look follow.
    private volatile long nextLook = NEVER;

    Alarms(String threadName) {
        thread = Thread.ofPlatform().daemon().name(threadName).start(this::run);
    }

    /// Something to do at a time, unless that is taken back by then.
    final class Alarm implements AutoCloseable {
        private final long due;
        private final Runnable action;

        private Alarm(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        /// Takes it back.
        @Override
        public void close() {
            set.remove(this);
        }
    }

    /// @param action quick, since other alarms wait for its end
    Alarm set(Duration in, Runnable action) {
        var alarm = new Alarm(now() + in.toNanos(), action);
        set.add(alarm);
        if (alarm.due < nextLook) {
            LockSupport.unpark(thread);
        }
        return alarm;
    }

    /// How many are set.
    int count() {
        return set.size();
    }

    private long now() {
        return System.nanoTime() - start;
    }

    private void run() {
        while (true) {
            nextLook = NEVER;
            long next = goOff();
            nextLook = next;
            if (next == NEVER) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, next - now());
            }
        }
    }

    /// Lets those go off that are due; returns when the next one is.
    private long goOff() {
        long now = now();
        long next = NEVER;
        for (var all = set.iterator(); all.hasNext(); ) {
            var alarm = all.next();
            if (alarm.due > now) {
                next = Math.min(next, alarm.due);
            } else if (set.remove(alarm)) {
                carryOut(alarm.action);
            }
        }
        return next;
    }

    /// Whatever happens, the other alarms are still to go off.
    private static void carryOut(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException mistake) {
            log.atError().setCause(mistake).log("Observed a panic");
        }
    }
}
