package io.berth.config;

import io.berth.config.gate.FeatureGates;
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

/// Rewrites a file of a version before v1 to v1 (section 3.8 of the contract).
///
/// The plugins that such a version had by default become part of the profile, so that old weights
/// and orders survive.
final class OlderFile {
    private final OlderVersion version;
    private final FeatureGates gates;
    private final Problems problems = new Problems();
    private final List<String> warnings = new ArrayList<>();

    private OlderFile(OlderVersion version, FeatureGates gates) {
        this.version = version;
        this.gates = gates;
    }

    /// A file in the shape of v1.
    record Converted(Fields file, List<String> warnings) {}

    /// @throws ConfigurationException where the file does not fit its version, or cannot be
    ///   expressed in v1
    static Converted convert(Decoding decoding, OlderVersion version, FeatureGates gates)
            throws ConfigurationException {
        decoding.require(version.type(), version.arguments());
        var conversion = new OlderFile(version, gates);
        var file = conversion.convert(decoding.root());
        conversion.problems.throwIfAny();
        return new Converted(file, conversion.warnings);
    }

    private Fields convert(Fields file) {
        warnings.add(
                "KubeSchedulerConfiguration %s is deprecated in %s, will be removed in %s"
                        .formatted(version.shortName(), version.deprecated(), version.removed()));
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
                        version.defaults(gates), ProfileCompletion.plugins(file.fields("plugins")));
        if (version.isStrict()) {
            merged.forEach((point, set) -> refuseRemoved(path + ".plugins." + point, set));
        }
        var modern = new OldNames(path, version.apiVersion(), problems).modern(merged, arguments);
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
            if (version.isStrict() && OlderVersion.REMOVED.contains(name)) {
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
                !version.isStrict()
                        && plugin.equals("PodTopologySpread")
                        && args.text("defaultingType", "").isEmpty()
                        && !args.items("defaultConstraints").isEmpty();
        return meansList ? modern.with("defaultingType", Value.of("List")) : modern;
    }

    private void refuseRemoved(String path, PluginSet set) {
        for (int k = 0; k < set.enabled().size(); k++) {
            var name = set.enabled().get(k).name();
            if (OlderVersion.REMOVED.contains(name)) {
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
                                JsonWriter.quoted(OlderVersion.V1BETA2.apiVersion()),
                                JsonWriter.quoted(version.apiVersion())));
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
        if (!readable && version.isStrict()) {
            problems.invalid(field, address, "must be empty or with an explicit 0 port");
        } else if (!port.equals("0")) {
            warnings.add(
                    "%s: %s is ignored: health and metrics are served by HTTPS alone; set the port to 0 or remove the field"
                            .formatted(field, JsonWriter.quoted(address)));
        }
    }
}
