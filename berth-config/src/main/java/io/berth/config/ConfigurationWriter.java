package io.berth.config;

import io.berth.config.ExtenderConfiguration.Bytes;
import io.berth.config.ExtenderConfiguration.Tls;
import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.Canonical;
import io.berth.config.text.GoDuration;
import io.berth.config.text.GoNumbers;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.YamlWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes a configuration in the form of v1, every default shown.
public final class ConfigurationWriter {
    private ConfigurationWriter() {}

    /// For `--write-config-to` and the log (rule P-61).
    public static String yaml(SchedulerConfiguration configuration) {
        return YamlWriter.write(value(configuration));
    }

    /// The body of `/configz` (rule P-194).
    public static String configz(SchedulerConfiguration configuration) {
        return JsonWriter.write(fields("componentconfig", value(configuration)));
    }

    private static Fields value(SchedulerConfiguration configuration) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("kind", Value.of(SchedulerConfiguration.KIND));
        fields.put("apiVersion", Value.of(SchedulerConfiguration.V1));
        fields.put("parallelism", Value.of(configuration.parallelism()));
        fields.put("leaderElection", leaderElection(configuration.leaderElection()));
        fields.put("clientConnection", clientConnection(configuration.clientConnection()));
        fields.put("enableProfiling", Value.of(configuration.enableProfiling()));
        fields.put(
                "enableContentionProfiling", Value.of(configuration.enableContentionProfiling()));
        fields.put("percentageOfNodesToScore", Value.of(configuration.percentageOfNodesToScore()));
        fields.put("podInitialBackoffSeconds", Value.of(configuration.podInitialBackoffSeconds()));
        fields.put("podMaxBackoffSeconds", Value.of(configuration.podMaxBackoffSeconds()));
        putUnlessEmpty(
                fields,
                "profiles",
                configuration.profiles().stream().map(ConfigurationWriter::profile).toList());
        putUnlessEmpty(
                fields,
                "extenders",
                configuration.extenders().stream().map(ConfigurationWriter::extender).toList());
        putIfSet(fields, "delayCacheUntilActive", configuration.delayCacheUntilActive());
        return Value.of(fields);
    }

    private static Fields leaderElection(LeaderElectionConfiguration election) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("leaderElect", Value.of(election.leaderElect()));
        fields.put("leaseDuration", Value.of(GoDuration.format(election.leaseDuration())));
        fields.put("renewDeadline", Value.of(GoDuration.format(election.renewDeadline())));
        fields.put("retryPeriod", Value.of(GoDuration.format(election.retryPeriod())));
        fields.put("resourceLock", Value.of(election.resourceLock()));
        fields.put("resourceName", Value.of(election.resourceName()));
        fields.put("resourceNamespace", Value.of(election.resourceNamespace()));
        return Value.of(fields);
    }

    private static Fields clientConnection(ClientConnectionConfiguration connection) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("kubeconfig", Value.of(connection.kubeconfig()));
        fields.put("acceptContentTypes", Value.of(connection.acceptContentTypes()));
        fields.put("contentType", Value.of(connection.contentType()));
        fields.put("qps", new Numeral(GoNumbers.shortest(connection.qps()), 0));
        fields.put("burst", Value.of(connection.burst()));
        return Value.of(fields);
    }

    private static Fields profile(ProfileConfiguration profile) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("schedulerName", Value.of(profile.schedulerName()));
        profile.percentageOfNodesToScore()
                .ifPresent(
                        percentage -> fields.put("percentageOfNodesToScore", Value.of(percentage)));
        var plugins = new LinkedHashMap<String, Value>();
        profile.plugins().forEach((point, set) -> plugins.put(point, pluginSet(set)));
        fields.put("plugins", Value.of(plugins));
        putUnlessEmpty(
                fields,
                "pluginConfig",
                profile.pluginConfig().stream()
                        .map(config ->
                                fields("name", Value.of(config.name()), "args", args(config)))
                        .toList());
        return Value.of(fields);
    }

    private static Value args(PluginArguments config) {
        var type = ArgumentTypes.v1().get(config.name());
        return type != null && config.args() instanceof Fields args
                ? Canonical.of(args, type)
                : config.args();
    }

    static Fields pluginSet(PluginSet set) {
        var fields = new LinkedHashMap<String, Value>();
        putUnlessEmpty(
                fields,
                "enabled",
                set.enabled().stream()
                        .map(plugin -> plugin(plugin.name(), plugin.weight()))
                        .toList());
        putUnlessEmpty(
                fields, "disabled", set.disabled().stream().map(name -> plugin(name, 0)).toList());
        return Value.of(fields);
    }

    private static Fields plugin(String name, int weight) {
        return fields("name", Value.of(name), "weight", Value.of(weight));
    }

    /// A plugin set as upstream's errors show it.
    static Fields internal(PluginSet set) {
        return fields(
                "Enabled",
                listOrNull(
                        set.enabled().stream()
                                .map(plugin -> internal(plugin.name(), plugin.weight()))
                                .toList()),
                "Disabled",
                listOrNull(set.disabled().stream().map(name -> internal(name, 0)).toList()));
    }

    private static Fields internal(String name, int weight) {
        return fields("Name", Value.of(name), "Weight", Value.of(weight));
    }

    private static Value listOrNull(List<Fields> items) {
        return items.isEmpty() ? new Nothing(0) : Value.of(items);
    }

    private static Fields extender(ExtenderConfiguration extender) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("urlPrefix", Value.of(extender.urlPrefix()));
        putIfSet(fields, "filterVerb", extender.filterVerb());
        putIfSet(fields, "preemptVerb", extender.preemptVerb());
        putIfSet(fields, "prioritizeVerb", extender.prioritizeVerb());
        if (extender.weight() != 0) {
            fields.put("weight", Value.of(extender.weight()));
        }
        putIfSet(fields, "bindVerb", extender.bindVerb());
        putIfSet(fields, "enableHTTPS", extender.enableHttps());
        extender.tls().ifPresent(tls -> fields.put("tlsConfig", tls(tls)));
        fields.put("httpTimeout", Value.of(GoDuration.format(extender.httpTimeout())));
        putIfSet(fields, "nodeCacheCapable", extender.nodeCacheCapable());
        putUnlessEmpty(
                fields,
                "managedResources",
                extender.managedResources().stream()
                        .map(resource -> {
                            var inner = new LinkedHashMap<String, Value>();
                            inner.put("name", Value.of(resource.name()));
                            putIfSet(inner, "ignoredByScheduler", resource.ignoredByScheduler());
                            return Value.of(inner);
                        })
                        .toList());
        putIfSet(fields, "ignorable", extender.ignorable());
        return Value.of(fields);
    }

    private static Fields tls(Tls tls) {
        var fields = new LinkedHashMap<String, Value>();
        putIfSet(fields, "insecure", tls.insecure());
        putIfSet(fields, "serverName", tls.serverName());
        putIfSet(fields, "certFile", tls.certFile());
        putIfSet(fields, "keyFile", tls.keyFile());
        putIfSet(fields, "caFile", tls.caFile());
        putIfSet(fields, "certData", tls.certData());
        putIfSet(fields, "keyData", tls.keyData());
        putIfSet(fields, "caData", tls.caData());
        return Value.of(fields);
    }

    private static void putIfSet(Map<String, Value> fields, String name, boolean set) {
        if (set) {
            fields.put(name, Value.of(true));
        }
    }

    private static void putIfSet(Map<String, Value> fields, String name, String text) {
        if (!text.isEmpty()) {
            fields.put(name, Value.of(text));
        }
    }

    private static void putIfSet(Map<String, Value> fields, String name, Bytes bytes) {
        putIfSet(fields, name, bytes.base64());
    }

    private static void putUnlessEmpty(
            Map<String, Value> fields, String name, List<? extends Value> items) {
        if (!items.isEmpty()) {
            fields.put(name, Value.of(items));
        }
    }

    static Fields fields(String name, Value value) {
        return Value.of(Map.of(name, value));
    }

    static Fields fields(String first, Value firstValue, String second, Value secondValue) {
        var fields = new LinkedHashMap<String, Value>();
        fields.put(first, firstValue);
        fields.put(second, secondValue);
        return Value.of(fields);
    }
}
