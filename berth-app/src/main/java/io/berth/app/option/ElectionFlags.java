package io.berth.app.option;

import io.berth.app.flag.ParsedFlags;
import java.time.Duration;
import java.util.Optional;

/// The flags of the group "leader election", each only if it was given: a given one goes before the
/// configuration, a missing one leaves it alone.
public record ElectionFlags(
        Optional<Boolean> leaderElect,
        Optional<Duration> leaseDuration,
        Optional<Duration> renewDeadline,
        Optional<Duration> retryPeriod,
        Optional<String> resourceLock,
        Optional<String> resourceName,
        Optional<String> resourceNamespace) {

    /// @param flags of the scheduler; the older `--lock-object-*` count where the newer ones are
    ///   missing
    static ElectionFlags from(ParsedFlags flags) {
        return new ElectionFlags(
                flags.bool("leader-elect"),
                flags.duration("leader-elect-lease-duration"),
                flags.duration("leader-elect-renew-deadline"),
                flags.duration("leader-elect-retry-period"),
                flags.value("leader-elect-resource-lock"),
                flags.value("leader-elect-resource-name").or(() -> flags.value("lock-object-name")),
                flags.value("leader-elect-resource-namespace")
                        .or(() -> flags.value("lock-object-namespace")));
    }
}
