package io.berth.kube.lease;

/// What an election is about.
///
/// @param name of the lease, and of the election in metrics and health
/// @param identity ours alone, among all that compete
/// @param coordinated whether the API server chooses the holder (P-241)
public record ElectionSettings(
        String namespace, String name, String identity, ElectionTimes times, boolean coordinated) {
    public static final String DEFAULT_NAMESPACE = "kube-system";
    public static final String DEFAULT_NAME = "kube-scheduler";

    /// @throws io.berth.kube.connection.ConfigException where no election works with these (P-221)
    public ElectionSettings {
        times.check();
        if (identity.isEmpty()) {
            throw ElectionTimes.problem("Lock identity is empty");
        }
    }
}
