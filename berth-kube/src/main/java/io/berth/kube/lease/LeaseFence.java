package io.berth.kube.lease;

import io.berth.kube.client.WriteGate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Lets writes pass only while no other process can hold the lease.
///
/// ```
///  last renewal sent        renewDeadline                     leaseDuration
///        │──── writes may start ────│──── writes sent before may end ────│ others may take over
/// ```
///
/// It trusts clocks, not the election's thread: whoever wants to write asks how long ago the last
/// successful renewal was *sent*. So a process that was stopped, swapped out or suspended finds the
/// fence closed when it wakes, even before anyone has noticed that the lease is lost. The longer of
/// what the two clocks say counts, since one stands still while a machine is suspended and the
/// other may be set.
///
/// Closed at first; opened by each renewal; closed for good by [#close].
public final class LeaseFence implements WriteGate {
    private record Renewal(long sentNanos, long sentMillis) {}

    private final ElectionClock clock;
    private final long startNanos;
    private final long endNanos;
    private volatile @Nullable Renewal last;
    private volatile boolean closed;

    LeaseFence(ElectionTimes times, ElectionClock clock) {
        this.clock = clock;
        this.startNanos = times.renewDeadline().toNanos();
        this.endNanos = Duration.ofSeconds(times.leaseSeconds()).toNanos();
    }

    @Override
    public long writeNanos() {
        var renewal = last;
        if (closed || renewal == null) {
            return 0;
        }
        long elapsed = elapsedSince(renewal);
        return elapsed < Math.min(startNanos, endNanos) ? endNanos - elapsed : 0;
    }

    private long elapsedSince(Renewal renewal) {
        return Math.max(
                clock.nanos() - renewal.sentNanos,
                TimeUnit.MILLISECONDS.toNanos(clock.now().toEpochMilli() - renewal.sentMillis));
    }

    /// For how much longer a write that has passed may be under way; also after [#close].
    public Duration leftForWritesSent() {
        var renewal = last;
        return renewal == null
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(0, endNanos - elapsedSince(renewal)));
    }

    public boolean isOpen() {
        return writeNanos() > 0;
    }

    /// A renewal that was sent then has succeeded.
    void renewed(long sentNanos, long sentMillis) {
        last = new Renewal(sentNanos, sentMillis);
    }

    /// No write ever again.
    public void close() {
        closed = true;
    }
}
