package io.berth.kube.lease;

/// What an election counts. Called on the election's thread; implementations must not block.
public interface ElectionObserver {
    ElectionObserver NONE = new ElectionObserver() {};

    /// Whether this process leads (`leader_election_master_status`); told once at the start and
    /// whenever it changes.
    default void leads(String name, boolean leads) {}

    /// A renewal had to read the lease first (`leader_election_slowpath_total`).
    default void slowPath(String name) {}
}
