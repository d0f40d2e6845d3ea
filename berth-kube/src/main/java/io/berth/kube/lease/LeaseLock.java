package io.berth.kube.lease;

import java.time.Duration;
import java.util.Optional;

/// The Lease object that schedulers compete for. Used by one thread.
///
/// Every call blocks for at most its limit and throws an [io.berth.kube.client.ApiException] where
/// it comes to nothing.
public interface LeaseLock {
    /// Reads the lease; empty where there is none.
    Optional<LeaseRecord> read(Duration limit);

    void create(LeaseRecord record, Duration limit);

    /// Writes the lease, provided that nobody has changed it since we last read or wrote it.
    void update(LeaseRecord record, Duration limit);

    /// Namespace and name.
    String describe();
}
