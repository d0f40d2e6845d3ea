package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.ExtenderConfiguration.Bytes;
import io.berth.config.ExtenderConfiguration.ManagedResource;
import io.berth.config.ExtenderConfiguration.Tls;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.text.GoDuration;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Makes a complete configuration of a v1 file that has been compared with its types (sections 3.2
/// and 3.3 of the contract).
final class Completion {
    private final FeatureGates gates;
    private final ArgumentDefaults arguments;

    Completion(FeatureGates gates) {
        this.gates = gates;
        this.arguments = new ArgumentDefaults(gates);
    }

    /// @param apiVersion of the file
    SchedulerConfiguration complete(Fields file, String apiVersion) {
        boolean profiling = file.flag("enableProfiling", true);
        return new SchedulerConfiguration(
                apiVersion,
                (int) file.number("parallelism", 16),
                leaderElection(file.fields("leaderElection")),
                clientConnection(file.fields("clientConnection")),
                profiling,
                file.flag("enableContentionProfiling", profiling),
                (int) file.number("percentageOfNodesToScore", 0),
                file.number("podInitialBackoffSeconds", 1),
                file.number("podMaxBackoffSeconds", 10),
                profiles(file.objects("profiles")),
                file.objects("extenders").stream().map(Completion::extender).toList(),
                file.flag("delayCacheUntilActive", false),
                false);
    }

    private static LeaderElectionConfiguration leaderElection(Fields file) {
        var standard = LeaderElectionConfiguration.DEFAULT;
        return new LeaderElectionConfiguration(
                file.flag("leaderElect", standard.leaderElect()),
                duration(file, "leaseDuration", standard.leaseDuration()),
                duration(file, "renewDeadline", standard.renewDeadline()),
                duration(file, "retryPeriod", standard.retryPeriod()),
                text(file, "resourceLock", standard.resourceLock()),
                text(file, "resourceName", standard.resourceName()),
                text(file, "resourceNamespace", standard.resourceNamespace()));
    }

    private static ClientConnectionConfiguration clientConnection(Fields file) {
        var standard = ClientConnectionConfiguration.DEFAULT;
        float qps =
                file.find("qps") instanceof Numeral number ? Float.parseFloat(number.literal()) : 0;
        long burst = file.number("burst", 0);
        return new ClientConnectionConfiguration(
                file.text("kubeconfig", ""),
                file.text("acceptContentTypes", ""),
                text(file, "contentType", standard.contentType()),
                qps == 0 ? standard.qps() : qps,
                burst == 0 ? standard.burst() : (int) burst);
    }

    private List<ProfileConfiguration> profiles(List<Fields> file) {
        var given = file.isEmpty() ? List.of(Fields.EMPTY) : file;
        // With several profiles each must be named, which the validation sees to.
        var unnamed = given.size() == 1 ? SchedulerConfiguration.DEFAULT_SCHEDULER : "";
        return given.stream().map(profile -> profile(profile, unnamed)).toList();
    }

    private ProfileConfiguration profile(Fields file, String unnamed) {
        var standard =
                Map.of(
                        ProfileConfiguration.MULTI_POINT,
                        new PluginSet(DefaultPlugins.multiPoint(gates), List.of()));
        var profile =
                new ProfileConfiguration(
                        file.text("schedulerName", unnamed),
                        file.has("percentageOfNodesToScore")
                                ? OptionalInt.of((int) file.number("percentageOfNodesToScore", 0))
                                : OptionalInt.empty(),
                        PluginMerge.merge(standard, plugins(file.fields("plugins"))),
                        List.of());
        return profile.withPluginConfig(pluginConfig(profile, file.objects("pluginConfig")));
    }

    /// A profile of other plugins under the name of an existing one.
    ProfileConfiguration profile(Fields file, ProfileConfiguration like) {
        var profile = profile(file, like.schedulerName());
        return new ProfileConfiguration(
                like.schedulerName(),
                like.percentageOfNodesToScore(),
                profile.plugins(),
                profile.pluginConfig());
    }

    static Map<String, PluginSet> plugins(Fields file) {
        var plugins = new LinkedHashMap<String, PluginSet>();
        for (var point : ConfigurationTypes.POINTS) {
            var set = file.fields(point);
            plugins.put(
                    point,
                    new PluginSet(
                            set.objects("enabled").stream()
                                    .map(plugin ->
                                            new EnabledPlugin(
                                                    plugin.text("name", ""),
                                                    (int) plugin.number("weight", 0)))
                                    .toList(),
                            set.objects("disabled").stream()
                                    .map(plugin -> plugin.text("name", ""))
                                    .toList()));
        }
        return plugins;
    }

    /// The given arguments, defaults filled in, then those of other enabled plugins (rule P-85).
    private List<PluginArguments> pluginConfig(ProfileConfiguration profile, List<Fields> file) {
        var config = new ArrayList<PluginArguments>();
        var given = new HashSet<String>();
        for (var entry : file) {
            var name = entry.text("name", "");
            given.add(name);
            var args = entry.find("args");
            if (ArgumentDefaults.hasKind(name)) {
                config.add(
                        new PluginArguments(name, arguments.complete(name, entry.fields("args"))));
            } else {
                config.add(new PluginArguments(name, args == null ? new Nothing(0) : args));
            }
        }
        for (var name : profile.enabledNames()) {
            if (!given.contains(name) && ArgumentDefaults.hasKind(name)) {
                config.add(new PluginArguments(name, arguments.complete(name, Fields.EMPTY)));
            }
        }
        return config;
    }

    static ExtenderConfiguration extender(Fields file) {
        return new ExtenderConfiguration(
                file.text("urlPrefix", ""),
                file.text("filterVerb", ""),
                file.text("preemptVerb", ""),
                file.text("prioritizeVerb", ""),
                file.number("weight", 0),
                file.text("bindVerb", ""),
                file.flag("enableHTTPS", false),
                file.has("tlsConfig")
                        ? Optional.of(tls(file.fields("tlsConfig")))
                        : Optional.empty(),
                duration(file, "httpTimeout", ExtenderConfiguration.DEFAULT_TIMEOUT),
                file.flag("nodeCacheCapable", false),
                file.objects("managedResources").stream()
                        .map(resource ->
                                new ManagedResource(
                                        resource.text("name", ""),
                                        resource.flag("ignoredByScheduler", false)))
                        .toList(),
                file.flag("ignorable", false));
    }

    private static Tls tls(Fields file) {
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

    /// A field whose zero means unset.
    private static Duration duration(Fields file, String field, Duration otherwise) {
        var text = file.text(field, "0");
        var duration = GoDuration.parse(text);
        return duration.isZero() ? otherwise : duration;
    }

    private static String text(Fields file, String field, String otherwise) {
        var text = file.text(field, "");
        return text.isEmpty() ? otherwise : text;
    }
}
