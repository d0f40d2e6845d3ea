package io.berth.kube.lease;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a Lease says about leadership.
///
/// Its times are those of the holder's clock. They are written for people and never compared with
/// our own clock (P-224).
///
/// @param holder empty where nobody holds the lease
/// @param transitions how often the holder has changed
/// @param strategy how the API server chooses a holder; empty without coordinated election
/// @param preferredHolder who should take over from the holder; empty for nobody
public record LeaseRecord(
        String holder,
        int leaseDurationSeconds,
        @Nullable Instant acquireTime,
        @Nullable Instant renewTime,
        int transitions,
        String strategy,
        String preferredHolder) {

    /// A lease that somebody takes now.
    static LeaseRecord taken(
            String holder, int leaseDurationSeconds, Instant now, int transitions) {
        return new LeaseRecord(holder, leaseDurationSeconds, now, now, transitions, "", "");
    }

    /// The same holder goes on.
    LeaseRecord renewed(int seconds, Instant now) {
        return new LeaseRecord(holder, seconds, acquireTime, now, transitions, strategy, "");
    }

    /// The holder lets go: anyone may take it at once.
    LeaseRecord released(Instant now) {
        return new LeaseRecord("", 1, now, now, transitions, "", "");
    }
}
