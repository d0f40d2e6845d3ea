package io.berth.kube.lease;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The clocks of an election.
public interface ElectionClock {
    ElectionClock SYSTEM =
            new ElectionClock() {
                @Override
                public long nanos() {
                    return System.nanoTime();
                }

                @Override
                public Instant now() {
                    // Leases have no finer times.
                    return Instant.now().truncatedTo(ChronoUnit.MICROS);
                }
            };

    /// A clock that only ever goes forward; it may stand still while the machine is suspended.
    long nanos();

    /// The time of day, which goes on while the machine is suspended, and may be set.
    Instant now();
}
