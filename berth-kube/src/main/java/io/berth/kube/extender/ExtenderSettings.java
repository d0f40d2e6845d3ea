package io.berth.kube.extender;

import io.berth.kube.connection.Connection;
import java.time.Duration;
import java.util.Set;

/// One extender as the configuration describes it (rule E-142). A verb that is empty is not
/// offered.
///
/// @param urlPrefix also its name
/// @param weight what its scores count for
/// @param enableHttps without authorities in `tls` any server is believed
/// @param timeout for a whole call; zero stands for the default
/// @param nodeCacheCapable it knows the nodes itself and is sent names only
/// @param managedResources it is asked about pods that name one of them; none: about every pod
/// @param ignorable scheduling goes on without it
public record ExtenderSettings(
        String urlPrefix,
        String filterVerb,
        String prioritizeVerb,
        String preemptVerb,
        String bindVerb,
        long weight,
        boolean enableHttps,
        Connection.Tls tls,
        Duration timeout,
        boolean nodeCacheCapable,
        Set<String> managedResources,
        boolean ignorable) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    public ExtenderSettings {
        timeout = timeout.isZero() ? DEFAULT_TIMEOUT : timeout;
        managedResources = Set.copyOf(managedResources);
    }

    boolean filters() {
        return !filterVerb.isEmpty();
    }

    boolean prioritizes() {
        return !prioritizeVerb.isEmpty();
    }

    boolean preempts() {
        return !preemptVerb.isEmpty();
    }

    boolean binds() {
        return !bindVerb.isEmpty();
    }

    /// Upstream's rule: HTTPS without an authority believes anybody.
    Connection.Tls effectiveTls() {
        return enableHttps && tls.authorities() == null
                ? new Connection.Tls(null, true, tls.serverName(), tls.certificate())
                : tls;
    }
}
