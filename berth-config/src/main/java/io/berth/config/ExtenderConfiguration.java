package io.berth.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A service that has a say in placing pods, called over HTTP (section 3.5 of the contract).
///
/// @param filterVerb empty: not offered; likewise the other verbs
/// @param managedResources empty: all pods are the extender's business
public record ExtenderConfiguration(
        String urlPrefix,
        String filterVerb,
        String preemptVerb,
        String prioritizeVerb,
        long weight,
        String bindVerb,
        boolean enableHttps,
        Optional<Tls> tls,
        Duration httpTimeout,
        boolean nodeCacheCapable,
        List<ManagedResource> managedResources,
        boolean ignorable) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    public ExtenderConfiguration {
        managedResources = List.copyOf(managedResources);
    }

    /// An extended resource that the extender looks after.
    ///
    /// @param ignoredByScheduler whether NodeResourcesFit leaves it to the extender
    public record ManagedResource(String name, boolean ignoredByScheduler) {}

    /// @param certData PEM, empty where absent; wins over the file, likewise the others
    public record Tls(
            boolean insecure,
            String serverName,
            String certFile,
            String keyFile,
            String caFile,
            Bytes certData,
            Bytes keyData,
            Bytes caData) {}

    /// Some bytes, compared by content.
    public record Bytes(String base64) {
        public static final Bytes NONE = new Bytes("");

        public boolean isEmpty() {
            return base64.isEmpty();
        }

        public byte[] toArray() {
            return java.util.Base64.getMimeDecoder().decode(base64);
        }
    }
}
