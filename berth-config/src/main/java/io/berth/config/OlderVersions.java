package io.berth.config;

import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.schema.Type.Struct;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rewrites files of v1beta1, v1beta2 and v1beta3 to v1 (section 3.8 of the contract).
///
/// The plugins that such a version had by default become part of the profile, so that old weights
/// and orders survive.
final class OlderVersions {
    private static final String PREFIX = SchedulerConfiguration.GROUP + "/";

    /// Plugins that v1beta2 did away with.
    private static final Set<String> REMOVED =
            Set.of(
                    "NodeLabel",
                    "ServiceAffinity",
                    "NodePreferAvoidPods",
                    OldNames.LEAST,
                    OldNames.MOST,
                    OldNames.RATIO);

    private static final Map<String, Version> VERSIONS =
            Stream.of(
                            new Version(
                                    "v1beta1",
                                    "v1.22",
                                    "v1.23",
                                    ConfigurationTypes.V1BETA1,
                                    ArgumentTypes.v1beta1(),
                                    gates -> OlderDefaults.v1beta1(gates, OldNames.LEAST)),
                            new Version(
                                    "v1beta2",
                                    "v1.25",
                                    "v1.28",
                                    ConfigurationTypes.V1BETA2,
                                    ArgumentTypes.v1beta2(),
                                    OlderDefaults::v1beta2),
                            new Version(
                                    "v1beta3",
                                    "v1.26",
                                    "v1.29",
                                    ConfigurationTypes.V1BETA3,
                                    ArgumentTypes.v1beta2(),
                                    OlderDefaults::v1beta3))
                    .collect(
                            Collectors.toMap(version -> PREFIX + version.name, version -> version));

    /// @param arguments their types, by plugin
    /// @param defaults the plugins of a profile that says nothing
    private record Version(
            String name,
            String deprecated,
            String removed,
            Struct type,
            Map<String, Struct> arguments,
            Function<FeatureGates, Map<String, PluginSet>> defaults) {
        /// Later versions did away with plugins and were stricter about ports.
        boolean isFirst() {
            return name.equals("v1beta1");
        }
    }

    private final Version version;
    private final FeatureGates gates;
    private final Problems problems = new Problems();
    private final List<String> warnings = new ArrayList<>();

    private OlderVersions(Version version, FeatureGates gates) {
        this.version = version;
        this.gates = gates;
    }

    /// The versions by their short names.
    static Stream<String> names() {
        return VERSIONS.values().stream().map(Version::name);
    }

    static boolean knows(String version) {
        return VERSIONS.containsKey(version);
    }

    /// A file in the shape of v1.
    record Converted(Fields file, List<String> warnings) {}

    /// @throws ConfigurationException where the file does not fit its version, or cannot be
    ///   expressed in v1
    static Converted convert(Decoding decoding, String apiVersion, FeatureGates gates)
            throws ConfigurationException {
        var version = VERSIONS.get(apiVersion);
        if (version == null) {
            throw new ConfigurationException(
                    Header.unregistered(SchedulerConfiguration.KIND, apiVersion));
        }
        decoding.require(version.type, version.arguments);
        var conversion = new OlderVersions(version, gates);
        var file = conversion.convert(decoding.root());
        conversion.problems.throwIfAny();
        return new Converted(file, conversion.warnings);
    }

    private Fields convert(Fields file) {
        warnings.add(
                "KubeSchedulerConfiguration %s is deprecated in %s, will be removed in %s"
                        .formatted(version.name, version.deprecated, version.removed));
        insecurePort(file, "healthzBindAddress");
        insecurePort(file, "metricsBindAddress");
        var given = file.objects("profiles");
        var profiles = new ArrayList<Fields>();
        for (int i = 0; i < Math.max(1, given.size()); i++) {
            profiles.add(profile(i, given.isEmpty() ? Fields.EMPTY : given.get(i)));
        }
        return file.without("healthzBindAddress")
                .without("metricsBindAddress")
                .with("profiles", Value.of(profiles));
    }

    private Fields profile(int index, Fields file) {
        var path = "profiles[" + index + "]";
        var arguments = arguments(path, file);
        var merged =
                PluginMerge.merge(
                        version.defaults.apply(gates),
                        ProfileCompletion.plugins(file.fields("plugins")));
        if (!version.isFirst()) {
            merged.forEach((point, set) -> refuseRemoved(path + ".plugins." + point, set));
        }
        var modern = new OldNames(path, PREFIX + version.name, problems).modern(merged, arguments);
        return file.with("plugins", modern.fields("plugins"))
                .with("pluginConfig", Value.of(modern.items("pluginConfig")));
    }

    private Map<String, Value> arguments(String path, Fields profile) {
        var arguments = new LinkedHashMap<String, Value>();
        var config = profile.objects("pluginConfig");
        for (int j = 0; j < config.size(); j++) {
            var here = path + ".pluginConfig[" + j + "]";
            var name = config.get(j).text("name", "");
            var args = config.get(j).find("args");
            if (!version.isFirst() && REMOVED.contains(name)) {
                removed(here, name);
            }
            var value = args == null ? new Nothing(0) : arguments(name, args);
            if (arguments.put(name, value) != null) {
                problems.duplicate(here, name);
            }
        }
        return arguments;
    }

    private Value arguments(String plugin, Value given) {
        if (!(given instanceof Fields args)) {
            return given;
        }
        var modern =
                version.arguments().containsKey(plugin)
                        ? args.without("apiVersion").without("kind")
                        : args;
        boolean meansList =
                version.isFirst()
                        && plugin.equals("PodTopologySpread")
                        && args.text("defaultingType", "").isEmpty()
                        && !args.items("defaultConstraints").isEmpty();
        return meansList ? modern.with("defaultingType", Value.of("List")) : modern;
    }

    private void refuseRemoved(String path, PluginSet set) {
        for (int k = 0; k < set.enabled().size(); k++) {
            var name = set.enabled().get(k).name();
            if (REMOVED.contains(name)) {
                removed(path + ".enabled[" + k + "]", name);
            }
        }
    }

    private void removed(String path, String name) {
        problems.invalid(
                path,
                name,
                "was removed in version %s (KubeSchedulerConfiguration is version %s)"
                        .formatted(
                                JsonWriter.quoted(PREFIX + "v1beta2"),
                                JsonWriter.quoted(PREFIX + version.name)));
    }

    /// Plain HTTP for health and metrics is gone with the versions that had it.
    private void insecurePort(Fields file, String field) {
        var address = file.text(field, "");
        if (address.isEmpty()) {
            return;
        }
        int colon = address.lastIndexOf(':');
        var port = address.substring(colon + 1);
        boolean readable = colon >= 0 && port.matches("[0-9]{1,5}");
        if (!readable && !version.isFirst()) {
            problems.invalid(field, address, "must be empty or with an explicit 0 port");
        } else if (!port.equals("0")) {
            warnings.add(
                    "%s: %s is ignored: health and metrics are served by HTTPS alone; set the port to 0 or remove the field"
                            .formatted(field, JsonWriter.quoted(address)));
        }
    }
}
