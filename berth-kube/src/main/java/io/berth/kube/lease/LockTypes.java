package io.berth.kube.lease;

import io.berth.kube.connection.ConfigException;

/// The kinds of object that an election was ever held over; only leases are left.
public final class LockTypes {
    private LockTypes() {}

    /// @throws ConfigException for anything but `leases` (P-221)
    public static void check(String lockType) {
        String problem =
                switch (lockType) {
                    case "leases" -> "";
                    case "endpoints", "configmaps", "endpointsleases" ->
                            lockType + " lock is removed, migrate to leases";
                    case "configmapsleases" ->
                            "configmapsleases lock is removed, migrated to leases";
                    default -> "Invalid lock-type " + lockType;
                };
        if (!problem.isEmpty()) {
            throw new ConfigException("couldn't create resource lock: " + problem);
        }
    }
}
