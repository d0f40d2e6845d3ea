package io.berth.config;

import io.berth.api.amount.GoDuration;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value.Fields;
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

    static ExtenderConfiguration of(Fields file) {
        return new ExtenderConfiguration(
                file.text("urlPrefix", ""),
                file.text("filterVerb", ""),
                file.text("preemptVerb", ""),
                file.text("prioritizeVerb", ""),
                file.number("weight", 0),
                file.text("bindVerb", ""),
                file.flag("enableHTTPS", false),
                file.has("tlsConfig")
                        ? Optional.of(Tls.of(file.fields("tlsConfig")))
                        : Optional.empty(),
                file.duration("httpTimeout", DEFAULT_TIMEOUT),
                file.flag("nodeCacheCapable", false),
                file.objects("managedResources").stream().map(ManagedResource::of).toList(),
                file.flag("ignorable", false));
    }

    Fields fields() {
        var fields =
                new FieldsBuilder()
                        .put("urlPrefix", urlPrefix)
                        .putIfSet("filterVerb", filterVerb)
                        .putIfSet("preemptVerb", preemptVerb)
                        .putIfSet("prioritizeVerb", prioritizeVerb)
                        .putIfSet("weight", weight)
                        .putIfSet("bindVerb", bindVerb)
                        .putIfSet("enableHTTPS", enableHttps);
        tls.ifPresent(given -> fields.put("tlsConfig", given.fields()));
        return fields.put("httpTimeout", GoDuration.format(httpTimeout))
                .putIfSet("nodeCacheCapable", nodeCacheCapable)
                .putIfSet(
                        "managedResources",
                        managedResources.stream().map(ManagedResource::fields).toList())
                .putIfSet("ignorable", ignorable)
                .build();
    }

    /// An extended resource that the extender looks after.
    ///
    /// @param ignoredByScheduler whether NodeResourcesFit leaves it to the extender
    public record ManagedResource(String name, boolean ignoredByScheduler) {
        private static ManagedResource of(Fields file) {
            return new ManagedResource(
                    file.text("name", ""), file.flag("ignoredByScheduler", false));
        }

        private Fields fields() {
            return new FieldsBuilder()
                    .put("name", name)
                    .putIfSet("ignoredByScheduler", ignoredByScheduler)
                    .build();
        }
    }

    /// @param certData PEM, empty where absent; wins over the file, likewise the others
    public record Tls(
            boolean insecure,
            String serverName,
            String certFile,
            String keyFile,
            String caFile,
            Bytes certData,
            Bytes keyData,
            Bytes caData) {
        private static Tls of(Fields file) {
            return new Tls(
                    file.flag("insecure", false),
                    file.text("serverName", ""),
                    file.text("certFile", ""),
                    file.text("keyFile", ""),
                    file.text("caFile", ""),
                    new Bytes(file.text("certData", "")),
                    new Bytes(file.text("keyData", "")),
                    new Bytes(file.text("caData", "")));
        }

        private Fields fields() {
            return new FieldsBuilder()
                    .putIfSet("insecure", insecure)
                    .putIfSet("serverName", serverName)
                    .putIfSet("certFile", certFile)
                    .putIfSet("keyFile", keyFile)
                    .putIfSet("caFile", caFile)
                    .putIfSet("certData", certData.base64)
                    .putIfSet("keyData", keyData.base64)
                    .putIfSet("caData", caData.base64)
                    .build();
        }
    }

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
