package io.berth.sim.time;

import io.berth.engine.port.TimeSource;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/// A clock that jumps from one planned event to the next. What is planned for the same moment
/// happens in the order of planning.
public final class VirtualTime implements TimeSource {
    public static final long START_MILLIS = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

    private record Planned(long atMillis, long sequence, Runnable body) {}

    private final PriorityQueue<Planned> planned =
            new PriorityQueue<>(
                    Comparator.comparingLong(Planned::atMillis)
                            .thenComparingLong(Planned::sequence));
    private long nowMillis = START_MILLIS;
    private long sequence;

    @Override
    public long nowMillis() {
        return nowMillis;
    }

    @Override
    public long nanos() {
        return elapsedMillis() * 1_000_000;
    }

    public long elapsedMillis() {
        return nowMillis - START_MILLIS;
    }

    public Instant now() {
        return Instant.ofEpochMilli(nowMillis);
    }

    /// Plans something.
    public void in(long delayMillis, Runnable body) {
        planned.add(new Planned(nowMillis + Math.max(0, delayMillis), sequence++, body));
    }

    /// When the next planned event is due; `Long.MAX_VALUE` where none is planned.
    public long nextMillis() {
        var next = planned.peek();
        return next == null ? Long.MAX_VALUE : next.atMillis;
    }

    /// Jumps forward; planned events must not be jumped over.
    public void advanceTo(long millis) {
        if (millis < nowMillis || millis > nextMillis()) {
            throw new IllegalStateException(
                    "cannot jump from %d to %d: next event at %d"
                            .formatted(nowMillis, millis, nextMillis()));
        }
        nowMillis = millis;
    }

    /// Lets the next event that is due now happen.
    ///
    /// @return false where none is due
    public boolean runDue() {
        if (nextMillis() > nowMillis) {
            return false;
        }
        planned.remove().body.run();
        return true;
    }
}
